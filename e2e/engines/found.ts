/** How something is found on a screen by what a person reads: the same in every engine, as it runs in the page. */
export type Kind = 'field' | 'button' | 'link' | 'choice' | 'words'

/**
 * An expression that gives the element in the page, or null: in the dialog where one is open, in sight, with this name.
 */
export function inPage(kind: Kind, name: string): string {
  return `(${find.toString()})(${JSON.stringify(kind)}, ${JSON.stringify(name)})`
}

/** Runs in the page, so it uses nothing from around it. */
function find(kind: Kind, name: string): Element | null {
  const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter(
    (dialog) => dialog.getClientRects().length > 0,
  )
  const within = dialogs.at(-1) ?? document
  const plain = (text: string | null | undefined): string => (text ?? '').replace(/[\s*]+/g, ' ').trim()
  const selectors: Record<Kind, string> = {
    field: 'input:not([type="radio"]):not([type="checkbox"]), textarea',
    button: 'button, [role="button"]',
    link: 'a[href]',
    choice: 'label, [role="radio"]',
    words: 'body *',
  }
  const namesOf = (element: Element): string[] => {
    const labels =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? [...(element.labels ?? [])].map((label) => plain(label.textContent))
        : []
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter((id) => id !== '')
    const written = ids.map((id) => plain(document.querySelector(`#${CSS.escape(id)}`)?.textContent)).join(' ')
    return [
      plain(element.getAttribute('aria-label')),
      written,
      ...labels,
      kind === 'field' ? '' : plain(element.textContent),
    ]
  }
  const fits = (text: string): boolean => (kind === 'link' || kind === 'words' ? text.includes(name) : text === name)
  const found = [...within.querySelectorAll(selectors[kind])].filter(
    (element) => element.getClientRects().length > 0 && namesOf(element).some(fits),
  )
  // Of elements around each other the innermost is what is meant.
  return found.at(kind === 'words' ? -1 : 0) ?? null
}
