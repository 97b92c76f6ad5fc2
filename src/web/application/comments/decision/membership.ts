import { computed, type ComputedRef } from 'vue'
import { usePerson } from '../../client/person.ts'
import { useProjects } from '../../projects/queries.ts'

/** Whether the person is a member of the project itself, not only of one of its components, and its administrator. */
export function useMembership(project: () => number): {
  readonly isMember: ComputedRef<boolean>
  readonly isAdmin: ComputedRef<boolean>
} {
  const { person } = usePerson()
  const { data } = useProjects()
  const projectOfPerson = computed(() => data.value?.find(({ id }) => id === project()))
  const isSiteAdmin = computed(() => person.value?.admin === true)
  return {
    isMember: computed(() => isSiteAdmin.value || projectOfPerson.value?.is_member === true),
    isAdmin: computed(() => isSiteAdmin.value || projectOfPerson.value?.admin === true),
  }
}
