import { computed, type ComputedRef } from 'vue'
import { useComponent } from '../client/authoring.ts'
import { usePerson } from '../client/person.ts'
import { useProjects } from '../projects/queries.ts'

/** Whether the person may add a copy of a component to its project. */
export function useMayCopy(component: () => string): ComputedRef<boolean> {
  const { data: ownComponent } = useComponent(component)
  const { person } = usePerson()
  const { data: projects } = useProjects(() => ownComponent.value !== undefined)
  return computed(
    () =>
      person.value?.admin === true ||
      projects.value?.find((project) => project.id === ownComponent.value?.project_id)?.admin === true,
  )
}
