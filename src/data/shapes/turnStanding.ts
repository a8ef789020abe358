import type { TurnFile } from '#core/review/queryThread.ts'

import type { FileStanding } from './fileTypes.ts'

/** How far a file of a query is, as its thread tells. One that has not come is on another device. */
export function standingOfTurn({ state }: TurnFile): FileStanding {
  const nothing = { share: 0, problem: null, at: null }
  switch (state) {
    case 'stored':
      return { ...nothing, state, share: 1 }
    case 'refused':
      return { ...nothing, state: 'rejected' }
    case 'expected':
      return { ...nothing, state: 'coming' }
  }
}
