import { Button, SegmentedControl } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import { columnAt } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { circleClosedBy } from '#core/design/rules/ruleCircle.ts'
import type { RuleAddress, RuleLine } from '#core/design/rules/ruleList.ts'
import { addCheck, ruleAt, setCheck, setRule } from '#core/design/rules/ruleList.ts'
import { readCalculation, writeCalculation } from '#core/rules/calculations.ts'
import type { Calculation } from '#core/rules/calculations.ts'
import type { RuleNames } from '#core/rules/complete.ts'
import type { ConditionGroup } from '#core/rules/conditions.ts'
import type { RuleResult } from '#core/rules/rule.ts'
import { ChoiceProperty, FilledProperty, TextProperty } from '#src/screens/design/properties/inputs.tsx'
import { Note } from '#src/ui/Note.tsx'

import { labelIn } from '../columns.ts'
import type { DesignSession } from '../designSession.ts'
import type { FieldRuleReader } from '../ruleReader.ts'
import { useRuleWords } from '../ruleWords.ts'
import { CalculationEditor } from './CalculationEditor.tsx'
import { CelBox } from './CelBox.tsx'
import { ConditionsEditor } from './ConditionsEditor.tsx'
import { NEVER, conditionsOf, textOf } from './conditionKinds.ts'
import classes from './rules.module.css'

interface RuleEditorProps {
  readonly session: DesignSession
  readonly design: Design
  readonly address: RuleAddress
  /** Null for a rule that is not written yet. */
  readonly line: RuleLine | null
  readonly names: RuleNames
  readonly reader: FieldRuleReader
  readonly canEdit: boolean
  /** What stands in the editor, and what it is as a rule; null where it is empty. */
  readonly onRead: (read: { readonly text: string; readonly result: RuleResult | null }) => void
}

/**
 * From the last key to the rule's being part of the design, ms: circles are looked for then, which costs more than a
 * key may.
 */
const TAKE_AFTER = 300

/** One rule: by pickers or as CEL, read as it is written. One that would close a circle is not taken. */
export function RuleEditor({ session, design, address, line, names, reader, canEdit, onRead }: RuleEditorProps) {
  const { t } = useTranslation('rules')
  const words = useRuleWords()
  const stored = line?.source ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const [circle, setCircle] = useState<readonly string[] | null>(null)
  const text = typed ?? stored
  const isCalculation = address.kind === 'calculate'
  const pickable = isCalculation ? text.trim() === '' || readCalculation(text) !== null : conditionsOf(text) !== null
  const [mode, setMode] = useState<'simple' | 'expert'>(pickable ? 'simple' : 'expert')
  const shown = mode === 'simple' && !pickable ? 'expert' : mode
  const expected = isCalculation ? reader.calculation : 'bool'
  const result = text.trim() === '' ? null : reader.compile(text, expected)
  const error =
    circle !== null
      ? t('circle.refused', { path: circle.join(' → ') })
      : result === null || result.ok
        ? null
        : `${words(result.problem)}${placeOf(result.problem, text)}`

  const take = (next: string) => {
    const closed = circleClosedBy(session.view().design, address, next)
    setCircle(closed)
    if (closed !== null) return
    const edit = editTo(
      session.view().design,
      address,
      next,
      t('make.message', { field: nameOf(session.view().design, address) }),
    )
    if (edit !== null) session.edit(edit)
    setTyped(null)
  }
  const pending = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly now: () => void } | null>(null)
  const settle = () => {
    if (pending.current === null) return
    clearTimeout(pending.current.timer)
    pending.current.now()
    pending.current = null
  }
  const write = (next: string) => {
    setTyped(next)
    setCircle(null)
    if (pending.current !== null) clearTimeout(pending.current.timer)
    const now = () => {
      pending.current = null
      take(next)
    }
    pending.current = { timer: setTimeout(now, TAKE_AFTER), now }
  }
  // What was written last is taken when the rule is left, too.
  useEffect(() => () => settleAt(pending), [])
  const told = useRef(onRead)
  useEffect(() => {
    told.current = onRead
  })
  const { compile } = reader
  useEffect(
    () => told.current({ text, result: text.trim() === '' ? null : compile(text, expected) }),
    [text, compile, expected],
  )

  return (
    <div className={classes.editor} onBlur={settle}>
      <div className={classes.editorHead}>
        <SegmentedControl
          aria-label={t('mode.label')}
          value={shown}
          data={[
            { value: 'simple', label: t('mode.simple'), disabled: !pickable },
            { value: 'expert', label: t('mode.expert') },
          ]}
          onChange={(next) => setMode(next === 'simple' ? 'simple' : 'expert')}
        />
        {canEdit && line !== null && (
          <Button
            variant="subtle"
            color="red.9"
            h={40}
            leftSection={<IconTrash size={18} aria-hidden="true" />}
            onClick={() => {
              if (pending.current !== null) clearTimeout(pending.current.timer)
              pending.current = null
              setTyped(null)
              const edit = setRule(design, address, null)
              if (edit !== null) session.edit(edit)
            }}
          >
            {t('remove')}
          </Button>
        )}
      </div>
      {!pickable && <Note tone="info">{t('mode.onlyExpert')}</Note>}
      {shown === 'simple' && (
        <>
          {isCalculation ? (
            <CalculationByPickers text={text} names={names} canEdit={canEdit} onWrite={write} />
          ) : (
            <ConditionsByPickers text={text} names={names} reader={reader} canEdit={canEdit} onWrite={write} />
          )}
          <p className={classes.hint}>
            {t('written')} <code className={classes.codeLine}>{text === '' ? t('nothing') : text}</code>
          </p>
          {error !== null && (
            <p className={classes.error} role="alert">
              {error}
            </p>
          )}
        </>
      )}
      {shown === 'expert' && (
        <CelBox
          label={t('expert.label')}
          value={text}
          names={names}
          error={error}
          disabled={!canEdit}
          onChange={write}
        />
      )}
      {circle !== null && <p className={classes.hint}>{t('circle.hint')}</p>}
      {line?.check !== undefined && line.check !== null && (
        <CheckFacts {...{ session, design, address, canEdit }} check={line.check} />
      )}
    </div>
  )
}

/**
 * The edit that a text of a rule is: a check comes into the design with its first words, and one that is emptied never
 * speaks.
 */
function editTo(design: Design, address: RuleAddress, text: string, message: string): DesignEdit | null {
  if (address.kind !== 'check' || address.checkId === null) return setRule(design, address, text)
  if (ruleAt(design, address) !== null) return setRule(design, address, text.trim() === '' ? NEVER : text)
  return text.trim() === ''
    ? null
    : addCheck(design, address, { id: address.checkId, when: text, severity: 'error', message: { zh: message } })
}

function nameOf({ pages }: Design, { pageId, table, prop }: RuleAddress): string {
  const form = pages.get(pageId)?.form ?? null
  const column = form === null ? null : columnAt(form, table, prop)
  return column === null ? prop : labelIn(column, 'zh') || prop
}

function settleAt(
  pending: React.RefObject<{ readonly timer: ReturnType<typeof setTimeout>; readonly now: () => void } | null>,
): void {
  if (pending.current === null) return
  clearTimeout(pending.current.timer)
  pending.current.now()
}

/** Where in the text it is wrong, as far as that is known. */
function placeOf(problem: Exclude<RuleResult, { readonly ok: true }>['problem'], text: string): string {
  if (!('start' in problem) || problem.end <= problem.start) return ''
  const part = text.slice(problem.start, Math.min(problem.end, problem.start + 60))
  const line = text.slice(0, problem.start).split('\n')
  const at = `${String(line.length)}:${String((line.at(-1)?.length ?? 0) + 1)}`
  return part.trim() === '' ? ` (${at})` : ` (${at} “${part}”)`
}

interface ByPickersProps {
  readonly text: string
  readonly names: RuleNames
  readonly canEdit: boolean
  readonly onWrite: (text: string) => void
}

/**
 * Keeps what is picked while parts of it are not filled in yet; begins anew where the text is another than what was
 * picked.
 */
function ConditionsByPickers({
  text,
  names,
  reader,
  canEdit,
  onWrite,
}: ByPickersProps & { readonly reader: FieldRuleReader }) {
  const [picked, setPicked] = useState<ConditionGroup | null>(null)
  const said = text.trim() === NEVER ? '' : text
  const group =
    picked !== null && textOf(picked) === said
      ? picked
      : (conditionsOf(text) ?? { kind: 'group', join: 'all', items: [] })
  return (
    <ConditionsEditor
      group={group}
      names={names}
      reader={reader}
      canEdit={canEdit}
      onChange={(next) => {
        setPicked(next)
        if (textOf(next) !== said) onWrite(textOf(next))
      }}
    />
  )
}

function CalculationByPickers({ text, names, canEdit, onWrite }: ByPickersProps) {
  const [picked, setPicked] = useState<Calculation | null>(null)
  const isWhole = (one: Calculation): boolean =>
    'names' in one ? one.names.every((name) => name !== '') : one.first !== '' && one.second !== ''
  const calculation =
    picked !== null && (!isWhole(picked) || writeCalculation(picked) === text) ? picked : readCalculation(text)
  return (
    <CalculationEditor
      calculation={calculation}
      names={names}
      canEdit={canEdit}
      onChange={(next) => {
        setPicked(next)
        if (isWhole(next)) onWrite(writeCalculation(next))
      }}
    />
  )
}

interface CheckFactsProps extends Pick<RuleEditorProps, 'session' | 'design' | 'address' | 'canEdit'> {
  readonly check: NonNullable<RuleLine['check']>
}

/** How grave a check is, and what it says. */
function CheckFacts({ session, design, address, canEdit, check }: CheckFactsProps) {
  const { t } = useTranslation('design')
  const set = (patch: Parameters<typeof setCheck>[2]) => {
    const edit = setCheck(design, address, patch)
    if (edit !== null) session.edit(edit)
  }
  return (
    <fieldset className={classes.checkFacts} disabled={!canEdit}>
      <ChoiceProperty
        label={t('props.severity')}
        value={check.severity}
        options={(['error', 'warning', 'query'] as const).map((value) => ({
          value,
          label: t(`props.severities.${value}`),
        }))}
        onChange={(severity) => set({ severity })}
      />
      <FilledProperty
        label={t('props.message')}
        value={check.message.zh}
        max={2000}
        onChange={(zh) => set({ message: { ...check.message, zh } })}
      />
      <TextProperty
        label={t('props.messageEn')}
        value={check.message.en ?? ''}
        onChange={(en) => set({ message: en === '' ? { zh: check.message.zh } : { zh: check.message.zh, en } })}
      />
    </fieldset>
  )
}
