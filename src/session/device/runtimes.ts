/**
 * Which running apps are alive. Each holds a Web Lock of its name for as long as it lives, and the browser releases the
 * lock when the app dies, however it dies. So a tab never takes over the typing of another living tab.
 */

const PREFIX = 'zhenglu-runtime-'

/** Holds this app's lock until released. */
export function lockRuntime(runtime: string): () => void {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { locks } = navigator as Partial<Navigator>
  void locks?.request(`${PREFIX}${runtime}`, () => held)
  return () => release()
}

/** Whether a running app holds the lock. Without Web Locks nobody can tell, and typing that was left is taken over. */
export async function isRuntimeAlive(runtime: string): Promise<boolean> {
  const { locks } = navigator as Partial<Navigator>
  if (locks === undefined) return false
  const { held = [] } = await locks.query()
  return held.some(({ name }) => name === `${PREFIX}${runtime}`)
}
