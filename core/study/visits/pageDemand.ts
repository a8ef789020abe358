/** Which pages of a visit are expected. */

const known = new Map<string, boolean>()
/** A study has a few hundred pages; beyond this number the answers are dropped and read again. */
const MOST = 1000

/**
 * Whether a page exists only once somebody makes it (form setting `zl.createdByManual` of its option): it is not
 * counted as missing before, and is offered under "add a page".
 */
export function isMadeByHand(option: string): boolean {
  if (!option.includes('createdByManual')) return false
  const before = known.get(option)
  if (before !== undefined) return before
  const said = settingOf(option)
  if (known.size >= MOST) known.clear()
  known.set(option, said)
  return said
}

function settingOf(option: string): boolean {
  try {
    const parsed: unknown = JSON.parse(option)
    if (typeof parsed !== 'object' || parsed === null || !('zl' in parsed)) return false
    const { zl } = parsed
    return typeof zl === 'object' && zl !== null && 'createdByManual' in zl && zl.createdByManual === true
  } catch {
    // A page that cannot be read is listed for the data manager; here it counts as a usual page.
    return false
  }
}
