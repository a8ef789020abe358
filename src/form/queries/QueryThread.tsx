import { useTranslation } from 'react-i18next'
import type { Field } from '#core/form/definition/page.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { QueryView, TurnView } from '#src/data/shapes/queryTypes.ts'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import { bilingual, contentWords } from '../words.ts'
import type { Language } from '../words.ts'
import classes from './queries.module.css'

interface QueryThreadProps {
  readonly view: QueryView
  /** The field that it is about; null where it is about none, or the version does not have it. */
  readonly field: Field | null
}

/** All that was said in a query, in the order in which it counts, with the value wherever it was another. */
export function QueryThread({ view: { query }, field }: QueryThreadProps) {
  const { t, i18n } = useTranslation('query')
  return (
    <ol className={classes.thread} aria-label={t('title')}>
      {query.thread.map((turn, at) => (
        <Turn
          key={turn.key}
          turn={at === 0 ? inLanguage(turn, query.rule, field, i18n.language === 'en' ? 'en' : 'zh') : turn}
          before={query.thread[at - 1] ?? null}
          field={field}
        />
      ))}
    </ol>
  )
}

/** What a check asks, in the reader's language where the definition has it. */
function inLanguage(turn: TurnView, rule: string | null, field: Field | null, language: Language): TurnView {
  const check = rule === null ? undefined : field?.checks.find(({ id }) => id === rule)
  return check === undefined ? turn : { ...turn, text: bilingual(check.message, language) }
}

interface TurnProps {
  readonly turn: TurnView
  readonly before: TurnView | null
  readonly field: Field | null
}

function Turn({ turn, before, field }: TurnProps) {
  const { t, i18n } = useTranslation(['query', 'projects', 'status', 'form'])
  const { act, state, effect, text, category, content, byName, role, at, by, unsent } = turn
  const isOther = content !== null && !sameAs(content, before?.content ?? null)
  const office = ROLES.find((one) => one === role)
  return (
    <li className={classes.turn} data-site={act === 'answer' || undefined}>
      <p className={classes.who}>
        <strong>{by === null ? t('system') : byName}</strong>
        {office !== undefined && <small>{t(`projects:role.${office}`)}</small>}
        <time dateTime={at}>{fullTime(at)}</time>
        {unsent === true && <StatusShape status="local">{t('unsent')}</StatusShape>}
      </p>
      <p className={classes.act}>
        {t(act === 'raise' && state === 'candidate' ? 'turn.propose' : `turn.${act}`)}
        {category !== null && <span className={classes.category}>{t(`category.${category}`)}</span>}
      </p>
      {text !== null && text !== '' && <p className={classes.text}>{text}</p>}
      {isOther && (
        <p className={classes.value}>
          {t('at', {
            colon: t('form:colon'),
            value: contentWords(field, content, i18n.getFixedT(i18n.language, 'form')),
          })}
        </p>
      )}
      {effect !== 'applied' && <p className={classes.effect}>{t(`effect.${effect}`)}</p>}
    </li>
  )
}

function sameAs(content: ItemContent, before: ItemContent | null): boolean {
  return before !== null && sameContent(content, before)
}

const ROLES = ['ADMIN', 'PI', 'PM', 'CRA', 'CRC', 'DBD'] as const
