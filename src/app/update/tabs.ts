const TAB_LOCK = 'zhenglu-tab'

/**
 * Holds a shared lock for as long as this tab lives, so that other tabs can count it. Where there are no locks, tabs
 * are not counted.
 */
export function countThisTab(): void {
  if (!('locks' in navigator)) return
  void navigator.locks.request(TAB_LOCK, { mode: 'shared' }, () => new Promise<never>(() => undefined))
}

/** How many tabs of the app are open on this device, this one included. */
export async function openTabs(): Promise<number> {
  if (!('locks' in navigator)) return 1
  const { held = [] } = await navigator.locks.query()
  return Math.max(1, held.filter(({ name }) => name === TAB_LOCK).length)
}
