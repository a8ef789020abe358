import { useTranslation } from 'react-i18next'
import type { Field } from '#core/form/definition/page.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { AboutQuery } from '#src/data/shapes/fileTypes.ts'
import type { QueryView, TurnView } from '#src/data/shapes/queryTypes.ts'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { fullTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { contentWords } from '../words.ts'
import { TurnFiles } from './QueryFiles.tsx'
import { questionWords } from './questionWords.ts'
import classes from './queries.module.css'

interface QueryThreadProps {
  readonly projectId: string
  readonly view: QueryView
  /** The field that it is about; null where it is about none, or the version does not have it. */
  readonly field: Field | null
}

/** All that was said in a query, in the order in which it counts, with the value wherever it was another. */
export function QueryThread({ projectId, view: { query }, field }: QueryThreadProps) {
  const { t } = useTranslation('query')
  const language = useLanguage()
  return (
    <ol className={classes.thread} aria-label={t('title')}>
      {query.thread.map((turn, at) => (
        <Turn
          key={turn.key}
          projectId={projectId}
          about={{ queryId: query.id, patientId: query.patientId }}
          turn={at === 0 ? { ...turn, text: questionWords(query, field, language) } : turn}
          before={query.thread[at - 1] ?? null}
          field={field}
        />
      ))}
    </ol>
  )
}

interface TurnProps {
  readonly projectId: string
  readonly about: AboutQuery
  readonly turn: TurnView
  readonly before: TurnView | null
  readonly field: Field | null
}

function Turn({ projectId, about, turn, before, field }: TurnProps) {
  const { t, i18n } = useTranslation(['query', 'projects', 'status', 'form'])
  const { act, state, effect, text, category, content, files = [], byName, role, at, by, unsent } = turn
  const { assignee, assigneeName } = turn
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
        {act === 'assign' && typeof assignee === 'string'
          ? t('turn.assignTo', { name: assigneeName ?? '' })
          : t(act === 'raise' && state === 'candidate' ? 'turn.propose' : `turn.${act}`)}
        {category !== null && <span className={classes.category}>{t(`category.${category}`)}</span>}
      </p>
      {text !== null && text !== '' && <p className={classes.text}>{text}</p>}
      {files.length > 0 && <TurnFiles projectId={projectId} about={about} files={files} />}
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
