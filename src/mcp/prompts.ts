import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const value = z.string().max(32_000)

/** Prompts for the most common tasks. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'defend-against',
    {
      title: 'Defend against an attack',
      description: 'Techniques and rules that counter an attack, with the paths and the gaps',
      argsSchema: z.object({
        attack: value.describe('T1110, or the name of an attack'),
        benchmark: value.optional().describe('A benchmark whose rules are looked at, such as RHEL_9_STIG'),
      }),
    },
    ({ attack, benchmark }) =>
      userSays(
        `What defends against ${attack}? Find the attack with "search" or "describe", then what is linked to it with ` +
          `"related"${benchmark === undefined ? '' : `, and look at the rules of ${benchmark} with "coverage"`}. Give the ` +
          'path of each link, quote rules exactly with "rule", name release and benchmark version, and say what nobody has ' +
          'mapped.',
      ),
  )
  server.registerPrompt(
    'review-draft',
    {
      title: 'Review the draft of a rule',
      description: "Findings on the words of a draft by DISA's guide, and a better wording",
      argsSchema: z.object({
        title: value,
        discussion: value.optional(),
        check: value.optional(),
        fix: value.optional(),
      }),
    },
    (draft) =>
      userSays(
        'Review this draft of a STIG rule. Call "advice" with its texts, explain each finding, and propose a wording that ' +
          `has none; check it with "advice" again.\n\n${JSON.stringify(draft, null, 2)}`,
      ),
  )
  server.registerPrompt(
    'explain-update',
    {
      title: 'Explain an update of a benchmark',
      description: 'What changed between two releases, and what that means for those who follow it',
      argsSchema: z.object({ benchmark: value, from: value.optional(), to: value.optional() }),
    },
    ({ benchmark, from, to }) => {
      const span = from === undefined || to === undefined ? 'its two newest releases' : `${from} and ${to}`
      return userSays(
        `What changed in ${benchmark} between ${span}? Use "changes" (without from and to, it lists the releases). Group the ` +
          'changes into new work, changed checks or fixes, and mere wording. Quote the changed passages exactly.',
      )
    },
  )
}

function userSays(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
