import type { Page } from '@playwright/test'
import type { Size } from './seats.ts'
import { longEntries, screens, states } from './screens.ts'
import type { Screen, Stage, State, Way } from './screens.ts'
import { takeShifts } from './shifts.ts'
import type { Shifts } from './shifts.ts'
import { people } from './world.ts'
import type { Who, World } from './world.ts'

/** One screen in one state. */
export interface Visit {
  readonly screen: Screen
  readonly state: State
  readonly way: Way
}

/**
 * Every screen in every state, person after person, and what a network has to go away for at last: it does not come
 * back.
 */
export function allVisits(world: World): readonly Visit[] {
  const { long } = world.places
  const shown =
    long === null ? screens.filter(({ isLong }) => isLong !== true) : [...screens, ...longEntries(long.entries.length)]
  const visits = shown.flatMap((screen) =>
    states.flatMap((state): readonly Visit[] => {
      const way = screen.states[state]
      return way === undefined ? [] : [{ screen, state, way }]
    }),
  )
  return visits.toSorted((a, b) => orderOf(a) - orderOf(b))
}

export function visitsOf(world: World, who: Who): readonly Visit[] {
  return allVisits(world).filter(({ way }) => way.who === who)
}

function orderOf({ way, state }: Visit): number {
  return people.indexOf(way.who) * states.length + (way.cuts === true ? states.length - 1 : states.indexOf(state))
}

/** A screen that is open: what is looked at from all sides. */
export interface Shown {
  readonly stage: Stage
  /** What jumped while it opened. */
  readonly shifts: Shifts
  /** Makes the window so large. What closes by it is opened again. Leaves the language Chinese if it had to. */
  readonly resize: (size: Size) => Promise<void>
}

/** What stands on the screen where something else was waited for: from the waiting alone nobody learns why. */
function tellShown(page: Page): (failure: unknown) => Promise<never> {
  return async (failure) => {
    const shown = await page.locator('body').innerText()
    throw new Error(`${failure instanceof Error ? failure.message : String(failure)}\nshown: ${shown}`, {
      cause: failure,
    })
  }
}

/** Goes to a screen, lets it be looked at, and leaves nothing of it behind. */
export async function visit(
  world: World,
  { way }: Visit,
  size: Size,
  look: (shown: Shown) => Promise<void>,
): Promise<void> {
  const seat = await world.seat(way.who)
  const { page } = seat
  const stage: Stage = { world, places: world.places, seat, page }
  const show = async (): Promise<Shifts> => {
    await seat.prefer({ language: 'zh', theme: 'theme-starwrap' })
    await takeShifts(page)
    await way.show(stage)
    await way.sign(page).waitFor().catch(tellShown(page))
    // Nothing is pointed at.
    await page.mouse.move(0, 0)
    await seat.still()
    return takeShifts(page)
  }
  let now = size
  await page.setViewportSize(size)
  if (way.failing !== undefined) await seat.fail(way.failing)
  try {
    const shifts = await show()
    await look({
      stage,
      shifts,
      resize: async (next) => {
        if (next === now) return
        now = next
        await page.setViewportSize(next)
        await seat.still()
        if (way.bySize === true || !(await way.sign(page).isVisible())) await show()
      },
    })
  } finally {
    if (way.failing !== undefined) {
      await seat.letThrough()
      await seat.load('/404')
    }
    await way.after?.(stage)
  }
}
