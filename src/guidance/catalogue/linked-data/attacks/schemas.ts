import { z } from 'zod'
import { citingBenchmark, citingRule } from '../../benchmarks/citing-rules.ts'
import { linkedTechnique, linkSchema, nistControl, ontologySchema } from '../countermeasures/links.ts'

const path = z.array(z.string()).meta({
  description:
    'Names and relations in turn, from the attack to the technique; ^ before a relation that is read backwards',
})

const inLists = { is_known: z.boolean().meta({ description: 'Whether a list of this catalogue has it' }) }

/** A technique that counters an attack, with the CCIs that are linked to it. */
const counteringTechnique = linkedTechnique.extend({
  paths: z.array(path),
  nist_controls: z.array(nistControl.extend(inLists)),
  ccis: z
    .array(linkSchema.pick({ cci: true, cci_control: true, relation: true, control: true }).extend(inLists))
    .meta({ description: 'The CCIs that the ontology relates to the technique' }),
})

/** The techniques that counter an attack, their CCIs, and the rules that cite these CCIs. */
export const attackGuidanceSchema = z.object({
  attack: z.object({ iri: z.string(), id: z.string(), name: z.string(), label: z.string() }),
  ontology: ontologySchema,
  techniques: z.array(counteringTechnique),
  severity_counts: z.object({ high: z.int(), medium: z.int(), low: z.int() }),
  benchmarks: z.array(
    citingBenchmark.extend({
      rules: z.array(
        citingRule.extend({
          ccis: z
            .array(z.string())
            .meta({ description: 'Its CCIs among those of the techniques, which say how the path goes on' }),
        }),
      ),
    }),
  ),
})

export type AttackGuidance = z.infer<typeof attackGuidanceSchema>
