import { describe, expect, it } from 'vitest'
import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { reviewRightsOf } from '#core/access/reviewRights.ts'
import {
  addCounts,
  markAfter,
  markAfterChange,
  markStates,
  offeredReview,
  reviewActs,
  reviewTracks,
  rollUpOf,
} from '#core/review/verification.ts'
import type { MarkState, ReviewAct, ReviewTrack } from '#core/review/verification.ts'

/** By hand: every act that is allowed on a field, by its mark, and where it leads. Whatever is not here is refused. */
const ALLOWED: Readonly<Record<MarkState | 'none', Partial<Readonly<Record<ReviewAct, MarkState>>>>> = {
  none: { verify: 'verified', exempt: 'exempt' },
  verified: { unverify: 'withdrawn' },
  changed: { verify: 'verified', exempt: 'exempt' },
  exempt: { verify: 'verified', unverify: 'withdrawn' },
  withdrawn: { verify: 'verified', exempt: 'exempt' },
}

/** By hand: who checks in which track, unless a project says otherwise. */
const CHECKS: Readonly<Record<ProjectRole, readonly ReviewTrack[]>> = {
  ADMIN: ['dmr'],
  PI: [],
  PM: [],
  CRA: ['sdv'],
  CRC: [],
  DBD: ['dmr'],
}

const states: readonly (MarkState | null)[] = [null, ...markStates]

describe('the table of marks', () => {
  for (const role of projectRoles) {
    for (const track of reviewTracks) {
      it(`allows ${role} on track ${track} exactly what the table says`, () => {
        const rights = reviewRightsOf(new Set(defaultPermissions(role)))
        const isTheirs = CHECKS[role].includes(track)
        for (const state of states) {
          for (const act of reviewActs) {
            const leads = ALLOWED[state ?? 'none'][act]
            expect(markAfter(state, act, track, rights), `${state} ${act}`).toEqual(
              !isTheirs
                ? { ok: false, error: 'right' }
                : leads === undefined
                  ? { ok: false, error: 'state' }
                  : { ok: true, state: leads },
            )
          }
          expect(offeredReview(state, track, rights)).toEqual(
            isTheirs ? reviewActs.filter((act) => ALLOWED[state ?? 'none'][act] !== undefined) : [],
          )
        }
      })
    }
  }

  it('takes the word back of a verified field whose value is another one, and of no other', () => {
    expect(markStates.map(markAfterChange)).toEqual(['changed', 'changed', 'exempt', 'withdrawn'])
  })
})

describe('how far something is checked', () => {
  it('is one word: to verify again goes before left to do', () => {
    expect(rollUpOf({ due: 0, done: 0, changed: 0 })).toBe('notDue')
    expect(rollUpOf({ due: 3, done: 0, changed: 0 })).toBe('none')
    expect(rollUpOf({ due: 3, done: 2, changed: 0 })).toBe('partial')
    expect(rollUpOf({ due: 3, done: 2, changed: 1 })).toBe('changed')
    expect(rollUpOf({ due: 3, done: 3, changed: 0 })).toBe('complete')
  })

  it('adds up', () => {
    expect(addCounts({ due: 3, done: 2, changed: 1 }, { due: 4, done: 0, changed: 0 })).toEqual({
      due: 7,
      done: 2,
      changed: 1,
    })
  })
})
