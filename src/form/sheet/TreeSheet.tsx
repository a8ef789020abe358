import { Anchor, Breadcrumbs, Button } from '@mantine/core'
import { useState } from 'react'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { allPaths, answerOf, canAnswer, pathTo } from '#core/form/definition/choices.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isList } from '#core/form/definition/value.ts'
import { jsonEqual } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'

import classes from '../form.module.css'
import { useFormEnvironment } from '../formContext.ts'
import type { SheetBodyProps } from './MissingSheet.tsx'
import { SheetSearch } from './SheetSearch.tsx'

type Path = readonly Choice[]

/** How many hits of a search are drawn: a user who sees more goes on typing. */
const MOST_HITS = 200

/** Choices in levels: shows one level at a time, with the way back, and a search over all levels. */
export function TreeSheet({ cell, change, onClose }: SheetBodyProps) {
  const { t } = useFormEnvironment()
  const { field, value, key, choices } = cell
  const [above, setAbove] = useState<Path>(() => levelOf(choices, answersOf(field, value)[0]))
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const level = above.at(-1)?.children ?? choices
  const hits = wanted === '' ? null : hitsOf(field, choices, wanted)
  const shown: readonly Path[] = hits ?? level.map((choice) => [...above, choice])
  const chosen = answersOf(field, value)
  const isChosen = (path: Path) => chosen.some((one) => jsonEqual(one, answerOf(field, path)))
  const pick = (path: Path) => {
    const answer = answerOf(field, path)
    const others = chosen.filter((one) => !jsonEqual(one, answer))
    const next = field.multiple ? (isChosen(path) ? others : [...chosen, answer]) : isChosen(path) ? null : answer
    change((state) => state.setValue(key, next))
    if (!field.multiple) onClose()
  }
  return (
    <>
      <SheetSearch
        placeholder={t('search')}
        onSearch={setSearch}
        onTakeBest={() => {
          const [first] = hits ?? []
          if (first !== undefined) pick(first)
        }}
      />
      {hits === null && above.length > 0 && (
        <Breadcrumbs mt="sm" separator="›" aria-label={t('tree.way')}>
          <Anchor component="button" type="button" className={classes.quiet ?? ''} onClick={() => setAbove([])}>
            {t('tree.all')}
          </Anchor>
          {above.map((choice, at) => (
            <Anchor
              key={choice.value}
              component="button"
              type="button"
              className={classes.quiet ?? ''}
              onClick={() => setAbove(above.slice(0, at + 1))}
            >
              {choice.label}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <div
        className={`${classes.options} ${classes.levels}`}
        role={field.multiple ? 'group' : 'radiogroup'}
        aria-label={t('choose')}
      >
        {shown.map((path) => (
          <Line
            key={path.map((one) => one.value).join('/')}
            path={path}
            field={field}
            on={isChosen(path)}
            whole={hits !== null}
            onPick={() => pick(path)}
            onInto={() => setAbove(path)}
          />
        ))}
        {shown.length === 0 && <p className={classes.hint}>{t('noMatch')}</p>}
      </div>
      {field.multiple && (
        <Button fullWidth size="md" mt="sm" onClick={onClose}>
          {t('save')}
        </Button>
      )}
    </>
  )
}

interface LineProps {
  readonly path: Path
  readonly field: Field
  readonly on: boolean
  /** Whether the whole path is shown: it is for hits, which may come from any level. */
  readonly whole: boolean
  readonly onPick: () => void
  readonly onInto: () => void
}

function Line({ path, field, on, whole, onPick, onInto }: LineProps) {
  const { t } = useFormEnvironment()
  const choice = path.at(-1)
  if (choice === undefined) return null
  const words = whole ? path.map(({ label }) => label).join(' / ') : choice.label
  const answers = canAnswer(field, choice) || on
  const leadsOn = choice.children.length > 0 && !whole
  return (
    <div className={classes.line}>
      {(answers || !leadsOn) && (
        <button
          type="button"
          className={classes.choice}
          role={field.multiple ? 'checkbox' : 'radio'}
          aria-checked={on}
          disabled={!answers}
          onClick={onPick}
        >
          {words}
        </button>
      )}
      {leadsOn && (
        <button
          type="button"
          className={answers ? classes.side : classes.choice}
          aria-label={t('tree.into', { label: choice.label })}
          onClick={onInto}
        >
          {answers ? '›' : `${words} ›`}
        </button>
      )}
    </div>
  )
}

/** The answers in a value, each in the form that the field stores. */
function answersOf(field: Field, value: JsonValue | null): readonly JsonValue[] {
  if (value === null) return []
  return field.multiple ? (isList(value) ? value : [value]) : [value]
}

/** The path to the level of an answer. */
function levelOf(choices: readonly Choice[], answer: JsonValue | undefined): Path {
  const last = answer !== undefined && isList(answer) ? answer.at(-1) : answer
  return last === undefined ? [] : (pathTo(choices, last)?.slice(0, -1) ?? [])
}

function hitsOf(field: Field, choices: readonly Choice[], wanted: string): readonly Path[] {
  const hits: Path[] = []
  for (const path of allPaths(choices)) {
    const choice = path.at(-1)
    if (choice === undefined || !canAnswer(field, choice)) continue
    if (choice.label.toLowerCase().includes(wanted) || choice.value.toLowerCase() === wanted) hits.push(path)
    if (hits.length === MOST_HITS) break
  }
  return hits
}
