import type { TFunction } from 'i18next'
import { visitOutcomes } from '#core/study/visits/schedule.ts'
import { NO_REASON, OFFERED_REASONS } from '#core/sync/reasons.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { FormWords, Language } from '#src/form/words.ts'
import { contentWords } from '#src/form/words.ts'
import { namesIn } from '#src/ui/words/useNames.ts'
import type { NamesInLanguage } from '#src/ui/words/useNames.ts'

import { actionKey } from './actions.ts'
import type { ValueWords } from './trailValue.ts'

/** The namespaces with the words of a trail: it can tell of everything that can happen to a patient. */
export const TRAIL_NAMESPACES = [
  'trail',
  'form',
  'patients',
  'visits',
  'reasons',
  'status',
  'projects',
  'conflict',
  'ecrf',
  'review',
] as const

type TrailTexts = TFunction<typeof TRAIL_NAMESPACES>

/** Reasons that have words: those that people are offered, those that processes write, and the missing reason. */
const REASONS = [...OFFERED_REASONS, 'adjudication', 'import', 'migration', NO_REASON] as const
/** Facts of patients and of visits, by the codes of the trail. */
const FACTS = ['no', 'initials', 'sex', 'enrolledOn', 'name', 'mobile', 'email', 'birthDate'] as const
const SAID = ['actualDate', 'outcome', 'outcomeReason', 'deviationReason', 'removed', 'applies', 'order'] as const
const ROLES = ['ADMIN', 'PI', 'PM', 'CRA', 'CRC', 'DBD'] as const
const STATES = ['init', 'process', SUBMITTED] as const

/** A member of the project's team, found by the id of the user or of the member. */
export interface Person {
  readonly id: string
  readonly userId: string
  readonly realName: string
}

/** The words for the lines of a trail, in the reader's language. What has no words is shown as stored. */
export interface TrailWords extends ValueWords {
  readonly language: Language
  readonly names: NamesInLanguage
  /** The words for an action. */
  readonly action: (action: string) => string
  /** The words for a value that was entered where none was. */
  readonly entered: string
  /** The words for a reason; null for a code that is not in the list. */
  readonly reason: (code: string | null) => string | null
  readonly role: (role: string) => string
  /** The name that stands for the system where no person acted. */
  readonly system: string
  /** The words for a row of a table; a row that is gone has no number. */
  readonly row: (table: string, rowNo: number | null) => string
  /** The words for one repeat of a page. */
  readonly repeatedPage: (name: string, repeatNo: number) => string
  /** The label of a visit fact; the code itself where it is none. */
  readonly visitFact: (code: string) => string
}

/** The words of a trail in one language. */
export function makeTrailWords(
  language: Language,
  t: TrailTexts,
  form: FormWords,
  people: readonly Person[],
): TrailWords {
  const personNames = new Map(
    people.flatMap(
      ({ id, userId, realName }) =>
        [
          [id, realName],
          [userId, realName],
        ] as const,
    ),
  )
  return {
    language,
    names: namesIn(language),
    content: (field, content) => contentWords(field, content, form),
    state: (prop, value) => stateText(t, prop, value),
    fact: (code) => {
      const fact = FACTS.find((one) => one === code)
      return fact === undefined ? null : t(`patients:fact.${fact}`)
    },
    person: (id) => personNames.get(id) ?? id,
    mark: ({ state, track, method }) => {
      const word = t(`review:mark.${state ?? 'none'}`)
      return [
        track === undefined ? word : t('review:trail.state', { track: t(`review:track.${track}`), state: word }),
        method === undefined || method === null ? '' : t(`review:method.${method}`),
      ]
        .filter(Boolean)
        .join(' · ')
    },
    colon: form('colon'),
    and: t('patients:assign.and'),
    action: (action) => {
      const key = actionKey(action)
      return key === null ? t('trail:unknown') : t(`trail:action.${key}`)
    },
    entered: t('trail:action.item_enter'),
    reason: (code) => {
      const known = REASONS.find((one) => one === code)
      return known === undefined ? null : t(`reasons:code.${known}`)
    },
    role: (role) => {
      const known = ROLES.find((one) => one === role)
      return known === undefined ? role : t(`projects:role.${known}`)
    },
    system: t('trail:system'),
    row: (table, rowNo) =>
      rowNo === null ? t('reasons:rowGone', { table }) : t('reasons:rowOf', { table, no: rowNo }),
    repeatedPage: (name, repeatNo) => `${name} ${t('ecrf:casebook.repeat', { no: repeatNo })}`,
    visitFact: (code) => {
      const said = SAID.find((one) => one === code)
      return said === undefined ? code : t(`visits:fact.${said}`)
    },
  }
}

/** The word for a value that is a state: of a deletion, a sex, a visit, a page. */
function stateText(t: TrailTexts, prop: string | null, value: string | boolean): string {
  if (typeof value === 'boolean') return t(value ? 'conflict:deleted.yes' : 'conflict:deleted.no')
  if (prop === 'sex' && (value === 'F' || value === 'M')) return t(`patients:sex.${value}`)
  const outcome = prop === 'outcome' ? visitOutcomes.find((one) => one === value) : undefined
  if (outcome !== undefined) return t(`visits:status.${outcome}`)
  const state = prop === null ? STATES.find((one) => one === value) : undefined
  return state === undefined
    ? value
    : t(`status:${state === 'init' ? 'notStarted' : state === 'process' ? 'inProgress' : 'submitted'}`)
}
