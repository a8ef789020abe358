/** To whom a key that was pressed on a screen of the casebook belongs. */

/** Whether nothing lies over the page that would take the key, and no input method composes with it. */
export function isForPage({ target, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing) return false
  return target instanceof Element && target.closest('[role=dialog], [role=menu]') === null
}

/** Whether the key writes a letter where somebody types. */
export function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable)
}
