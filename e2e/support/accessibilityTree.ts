import type { CDPSession, Page } from '@playwright/test'

/** What a screen reader is told, read from the browser's own accessibility tree. */

/** One element as it is announced. Empty text where nothing is said. */
export interface Spoken {
  readonly role: string
  readonly name: string
  /** What it holds: the text of a box, the figure of a slider. */
  readonly value: string
  /** What is said after it: hint, unit, errors. */
  readonly description: string
  readonly required: boolean
  readonly invalid: boolean
  /** Of a radio button or a check box. */
  readonly checked: boolean | null
  readonly disabled: boolean
}

type AxNode = Awaited<ReturnType<typeof fullTree>>[number]

export interface Reader {
  /** What has the focus. */
  readonly focused: () => Promise<Spoken>
  /** Everything with a role and a name, in reading order. */
  readonly all: () => Promise<readonly Spoken[]>
}

export async function screenReader(page: Page): Promise<Reader> {
  const session = await page.context().newCDPSession(page)
  await session.send('Accessibility.enable')
  return {
    focused: async () => {
      const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
      if (result.objectId === undefined) throw new Error('nothing has the focus')
      const { nodes } = await session.send('Accessibility.getPartialAXTree', {
        objectId: result.objectId,
        fetchRelatives: false,
      })
      const [node] = nodes
      if (node === undefined) throw new Error('what has the focus is not in the tree')
      return spoken(node)
    },
    all: async () => (await fullTree(session)).filter((node) => !node.ignored && textOf(node.name) !== '').map(spoken),
  }
}

async function fullTree(session: CDPSession) {
  return (await session.send('Accessibility.getFullAXTree')).nodes
}

function spoken(node: AxNode): Spoken {
  const property = (name: string): unknown => node.properties?.find((one) => one.name === name)?.value.value
  const checked = property('checked')
  return {
    role: textOf(node.role),
    name: textOf(node.name),
    value: textOf(node.value),
    description: textOf(node.description),
    required: property('required') === true,
    invalid: property('invalid') === 'true',
    checked: checked === undefined ? null : checked === 'true',
    disabled: property('disabled') === true,
  }
}

function textOf(part: { readonly value?: unknown } | undefined): string {
  const value = part?.value
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
