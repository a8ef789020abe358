import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { World } from '#tests/server/support/world.ts'
import { makeWorld } from '#tests/server/support/world.ts'

/** Worlds that come and go with the tests that use them. */

/** A world of its own for each test of a file. */
export function worldForEachTest(): World {
  const { world, make, close } = comingWorld()
  beforeEach(make)
  afterEach(close)
  return world
}

/** One world for all tests of a file. */
export function worldForAllTests(): World {
  const { world, make, close } = comingWorld()
  beforeAll(make)
  afterAll(close)
  return world
}

/** A world that can be named before it is made. */
function comingWorld(): { readonly world: World; make(): Promise<void>; close(): Promise<void> } {
  let made: World | null = null
  const now = (): World => {
    if (made === null) throw new Error('the world is made before a test, not before the file is read')
    return made
  }
  return {
    world: {
      get database() {
        return now().database
      },
      get services() {
        return now().services
      },
      get study() {
        return now().study
      },
      get people() {
        return now().people
      },
      close: () => now().close(),
    },
    make: async () => {
      made = await makeWorld()
    },
    close: async () => {
      await made?.close()
      made = null
    },
  }
}
