import { Button, SegmentedControl } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import type { RuleKey, RuleLine } from '#core/design/rules/ruleList.ts'
import { setCheck, setRule } from '#core/design/rules/ruleList.ts'
import { readCalculation, writeCalculation } from '#core/rules/calculations.ts'
import type { Calculation } from '#core/rules/calculations.ts'
import type { RuleNames } from '#core/rules/complete.ts'
import type { ConditionGroup } from '#core/rules/conditions.ts'
import type { RuleExpectation } from '#core/rules/problem.ts'
import type { RuleResult } from '#core/rules/rule.ts'
import { CheckWords } from '#src/screens/design/properties/CheckWords.tsx'
import { Note } from '#src/ui/Note.tsx'

import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { FieldRuleReader } from '../ruleReader.ts'
import { useRuleWords } from '../ruleWords.ts'
import { CalculationEditor } from './CalculationEditor.tsx'
import { CelBox } from './CelBox.tsx'
import { ConditionsEditor } from './ConditionsEditor.tsx'
import { NEVER, conditionsOf, textOf } from './conditionKinds.ts'
import classes from './rules.module.css'
import { useTypedRule } from './useTypedRule.ts'

interface RuleEditorProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly address: RuleKey
  /** Null for a rule that is not written yet. */
  readonly line: RuleLine | null
  readonly names: RuleNames
  readonly reader: FieldRuleReader
  readonly canEdit: boolean
  /** Gets the text in the editor and the rule that it makes; null where the editor is empty. */
  readonly onRead: (read: { readonly text: string; readonly result: RuleResult | null }) => void
}

/**
 * One rule, edited by pickers or as CEL, and checked while it is written. A rule that would close a circle is not
 * taken.
 */
export function RuleEditor({ editor, design, address, line, names, reader, canEdit, onRead }: RuleEditorProps) {
  const { t } = useTranslation('rules')
  const words = useRuleWords()
  const { text, circle, write, settle, forget } = useTypedRule(editor, address, line)
  const isCalculation = address.kind === 'calculate'
  const pickable = isCalculation ? text.trim() === '' || readCalculation(text) !== null : conditionsOf(text) !== null
  const [mode, setMode] = useState<Mode>(pickable ? 'simple' : 'expert')
  const shown = mode === 'simple' && !pickable ? 'expert' : mode
  const expected = isCalculation ? reader.calculation : 'bool'
  const result = text.trim() === '' ? null : reader.compile(text, expected)
  const error =
    circle !== null
      ? t('circle.refused', { path: circle.join(' → ') })
      : result === null || result.ok
        ? null
        : `${words(result.problem)}${describePosition(result.problem, text)}`
  useTelling(onRead, text, expected, reader)
  const remove = () => {
    forget()
    const edit = setRule(design, address, null)
    if (edit !== null) editor.edit(edit)
  }
  return (
    <div className={classes.editor} onBlur={settle}>
      <EditorHead
        mode={shown}
        pickable={pickable}
        onMode={setMode}
        onRemove={canEdit && line !== null ? remove : null}
      />
      {!pickable && <Note tone="info">{t('mode.onlyExpert')}</Note>}
      {shown === 'simple' && (
        <>
          {isCalculation ? (
            <CalculationByPickers text={text} names={names} canEdit={canEdit} onWrite={write} />
          ) : (
            <ConditionsByPickers text={text} names={names} reader={reader} canEdit={canEdit} onWrite={write} />
          )}
          <WrittenRule text={text} error={error} />
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
        <CheckFacts {...{ editor, design, address, canEdit }} check={line.check} />
      )}
    </div>
  )
}

/** Passes the editor's text to the bench that tries the rule, each time it changes. */
function useTelling(
  onRead: RuleEditorProps['onRead'],
  text: string,
  expected: RuleExpectation,
  { compile }: FieldRuleReader,
): void {
  const told = useRef(onRead)
  useEffect(() => {
    told.current = onRead
  })
  useEffect(
    () => told.current({ text, result: text.trim() === '' ? null : compile(text, expected) }),
    [text, compile, expected],
  )
}

type Mode = 'simple' | 'expert'

interface EditorHeadProps {
  readonly mode: Mode
  /** Whether the pickers can show the rule. */
  readonly pickable: boolean
  readonly onMode: (mode: Mode) => void
  /** Null where there is nothing to remove, or the user may not. */
  readonly onRemove: (() => void) | null
}

/** The choice between pickers and CEL, and the button that removes the rule. */
function EditorHead({ mode, pickable, onMode, onRemove }: EditorHeadProps) {
  const { t } = useTranslation('rules')
  return (
    <div className={classes.editorHead}>
      <SegmentedControl
        aria-label={t('mode.label')}
        value={mode}
        data={[
          { value: 'simple', label: t('mode.simple'), disabled: !pickable },
          { value: 'expert', label: t('mode.expert') },
        ]}
        onChange={(next) => onMode(next === 'simple' ? 'simple' : 'expert')}
      />
      {onRemove !== null && (
        <Button
          variant="subtle"
          color="red.9"
          h={40}
          leftSection={<IconTrash size={18} aria-hidden="true" />}
          onClick={onRemove}
        >
          {t('remove')}
        </Button>
      )}
    </div>
  )
}

/** The CEL text of the picked conditions, and its error. */
function WrittenRule({ text, error }: { readonly text: string; readonly error: string | null }) {
  const { t } = useTranslation('rules')
  return (
    <>
      <p className={classes.hint}>
        {t('written')} <code className={classes.codeLine}>{text === '' ? t('nothing') : text}</code>
      </p>
      {error !== null && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </>
  )
}

/** The position of the error in the text, where it is known. */
function describePosition(problem: Exclude<RuleResult, { readonly ok: true }>['problem'], text: string): string {
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
 * Keeps picked conditions while parts of them are still empty. Begins again when the text differs from what was picked.
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

interface CheckFactsProps extends Pick<RuleEditorProps, 'editor' | 'design' | 'address' | 'canEdit'> {
  readonly check: NonNullable<RuleLine['check']>
}

/** The severity of a check, and its message. */
function CheckFacts({ editor, design, address, canEdit, check }: CheckFactsProps) {
  const set = (patch: Parameters<typeof setCheck>[2]) => {
    const edit = setCheck(design, address, patch)
    if (edit !== null) editor.edit(edit)
  }
  return (
    <fieldset className={classes.checkFacts} disabled={!canEdit}>
      <CheckWords check={check} onChange={set} />
    </fieldset>
  )
}
