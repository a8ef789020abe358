import { lockManager } from '#offline/sync/lock.ts'

/**
 * Where somebody may be typing, in whichever tab of this device: a page that takes typing holds a Web Lock of its scope's name, until it is closed
 * to typing and all that was typed is saved. Nobody's keys go while such a lock is held.
 */

const PREFIX = 'zhenglu-typed-in-'

/** Holds a scope's lock until released. */
export function holdTyping(scope: string): () => void {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  void lockManager()?.request(`${PREFIX}${scope}`, { mode: 'shared' }, () => held)
  return () => release()
}

/** Whether a page of a scope, or of a project's centers, may still be typed on. Without Web Locks there is no telling of the tabs beside. */
export async function isTypedIn(scope: string): Promise<boolean> {
  const { held = [], pending = [] } = (await lockManager()?.query()) ?? {}
  return [...held, ...pending].some(({ name = '' }) => name.startsWith(`${PREFIX}${scope}`))
}
