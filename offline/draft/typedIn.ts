import { lockManager } from '#offline/sync/lock.ts'

/**
 * Where somebody may be typing, in any tab of this device. A page that takes typing holds a Web Lock, named after its
 * scope, until it is closed to typing and all typing is saved. No user's keys are removed while such a lock is held.
 */

const PREFIX = 'zhenglu-typed-in-'

/** Holds the lock of a page until released. */
export function lockTyping(scope: string, entryId: string): () => void {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  void lockManager()?.request(nameOf(scope, entryId), { mode: 'shared' }, () => held)
  return () => release()
}

/**
 * Whether somebody may still be typing on a page of a scope, or of a project's centers. Without Web Locks the other
 * tabs are not known.
 */
export async function isTypedIn(scope: string): Promise<boolean> {
  const { held = [], pending = [] } = (await lockManager()?.query()) ?? {}
  return [...held, ...pending].some(({ name = '' }) => name.startsWith(`${PREFIX}${scope}`))
}

/** Whether a page is open for typing in more than one tab of this device. */
export async function isTypedTwice(scope: string, entryId: string): Promise<boolean> {
  const { held = [] } = (await lockManager()?.query()) ?? {}
  return held.filter(({ name }) => name === nameOf(scope, entryId)).length > 1
}

function nameOf(scope: string, entryId: string): string {
  return `${PREFIX}${scope} ${entryId}`
}
