import type { Player } from '../cast.ts'

/** Records that the steps create and pass on. */
export interface Story {
  readonly project: string
  readonly component: string
  readonly prefix: string
  /** Roles in the project by the names of people. */
  readonly roles: Readonly<Record<string, string>>
  /** The SRG, and how many requirements it has. */
  readonly source: Buffer
  readonly rules: number
}

export async function uploadSrg({ page, input }: Player, { source }: Story): Promise<void> {
  await input.press(page.getByRole('link', { name: 'Guidance', exact: true }))
  await input.press(page.getByRole('link', { name: 'Upload' }))
  const file = { name: 'srg-xccdf.xml', mimeType: 'text/xml', buffer: source }
  await input.upload(page.getByLabel('XCCDF files, or zips of them'), file)
  await page.getByText('Done: 1 of 1 file.').waitFor()
}

export async function beginProject({ page, input }: Player, story: Story): Promise<void> {
  await input.press(page.getByRole('link', { name: 'New project' }))
  await input.write(page.getByLabel('Name', { exact: true }), story.project)
  await input.press(page.getByRole('button', { name: 'Create the project' }))
  await page.getByText('Project created.').waitFor()
  await input.press(page.getByRole('link', { name: 'Members', exact: true }))
  for (const [name, role] of Object.entries(story.roles)) {
    await input.choose(page.getByLabel('As', { exact: true }), role)
    await input.write(page.getByLabel('Name or e-mail address'), name)
    await input.press(page.getByRole('button', { name: `Add ${name} as ${role}` }))
    await page.getByRole('combobox', { name: `Role of ${name}` }).waitFor()
  }
}

export async function beginComponent({ page, input }: Player, story: Story): Promise<void> {
  await input.press(page.getByRole('link', { name: 'Components', exact: true }))
  await input.press(page.getByRole('link', { name: 'New component' }))
  await input.press(page.getByRole('list', { name: 'SRGs' }).getByRole('checkbox').first())
  await input.write(page.getByLabel('Name', { exact: true }), story.component)
  await input.write(page.getByLabel('Prefix'), story.prefix)
  await input.write(page.getByLabel('Title'), `${story.component} STIG`)
  await input.press(page.getByRole('button', { name: 'Create the component' }))
  await rulesShown(page, story)
}

/** Other pages say as well how many rules there are. */
function rulesShown(page: Player['page'], story: Story): Promise<void> {
  const rules = page.getByRole('region', { name: 'Rules', exact: true })
  return rules.getByText(`${story.rules} rules`, { exact: true }).waitFor()
}

/** Away from the component, of which every change would be shown. */
export async function goHome({ page, input }: Player): Promise<void> {
  await input.press(page.getByRole('banner').getByRole('link', { name: /^My work/ }))
  await page.getByRole('heading', { name: 'My work', level: 1 }).waitFor()
}

/** From home, where the project is new to them, to the rules of its component. */
export async function goToRules({ page, input }: Player, story: Story): Promise<void> {
  if (new URL(page.url()).pathname === '/home') {
    const news = page.getByRole('region', { name: 'New projects' })
    await input.press(news.getByRole('link', { name: story.project }))
    await page.getByRole('heading', { name: story.project, level: 1 }).waitFor()
    await input.press(page.getByRole('link', { name: story.component, exact: true }))
  } else await input.press(tab(page, 'Rules'))
  await rulesShown(page, story)
}

/** The page of a component that its head leads to. */
export function tab(page: Player['page'], name: string): ReturnType<typeof page.getByRole> {
  const tabs = page.getByRole('navigation', { name: 'Pages of the component' })
  return tabs.getByRole('link', { name: new RegExp(`^${name}`) })
}
