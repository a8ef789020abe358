import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { use, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { newId } from '#core/ids.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { err, ok } from '#core/result.ts'
import { dateFromTyping, parseDate } from '#core/values/dates.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

import { FilesToSend } from './QueryFiles.tsx'
import classes from './queries.module.css'
import { useUnsentQuestion } from './unsentWords.ts'
import type { UnsentQuestion } from './unsentWords.ts'

interface RaiseQueryProps {
  readonly projectId: string
  /** The version that is on screen. */
  readonly versionId: string | null
  readonly place: QueryPlace
  /** What the question is about, in words. */
  readonly label: string
  /** What the field holds on this screen; null for a question about no field. */
  readonly seen: ItemContent | null
  /** The question was asked, under this id. */
  readonly onRaised?: (queryId: string) => void
  readonly onClose: () => void
}

const OF_FIELD = ['source', 'missing', 'range', 'inconsistent', 'unit'] as const
/** About more than one value: a page, a visit, a subject. */
const OF_MORE = ['page', 'incomplete', 'inconsistent'] as const

const NOTHING_ASKED = { text: '', isUrgent: false, isCandidate: false, due: '', files: [] } as const

/** Asks a question about what is on screen. What was begun is there again when somebody comes back to it. */
export function RaiseQuery({ projectId, versionId, place, label, seen, onRaised, onClose }: RaiseQueryProps) {
  const { t } = useTranslation(['query', 'form'])
  const device = use(DeviceContext)
  const box = useRef<HTMLTextAreaElement>(null)
  const { question, change, changeFiles, clear } = useQuestion(place)
  const { id, text, isUrgent, isCandidate, due, files } = question
  const [isTried, setTried] = useState(false)
  const [isTaking, setTaking] = useState(false)
  const dueOn = due.trim() === '' ? null : dateFromTyping(due)
  const isDueWrong = due.trim() !== '' && (dueOn === null || parseDate(dueOn) === null)
  const submit = () => {
    setTried(true)
    if (text.trim() === '' || isDueWrong || isTaking || device === null) return null
    const asked = { id, place, text: text.trim(), isCandidate, isUrgent, dueOn, ...(seen === null ? {} : { seen }) }
    const whole = files.length === 0 ? asked : { ...asked, files: [...files] }
    return device.raiseQuery(projectId, versionId, whole).then((done) => {
      if (!done.ok) return err(done.error)
      clear()
      onRaised?.(done.id)
      return ok(done.at)
    })
  }
  return (
    <SubmitDialog
      title={t('raise.title', { label })}
      submit={t(isCandidate ? 'raise.propose' : 'raise.send')}
      size="lg"
      onSubmit={submit}
      onClose={onClose}
    >
      <Textarea
        size="md"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={2000}
        data-autofocus
        label={t('raise.text')}
        placeholder={t('raise.placeholder')}
        value={text}
        error={isTried && text.trim() === '' ? t('raise.needsText') : null}
        ref={box}
        onChange={(event) => change({ text: event.currentTarget.value })}
        onKeyDown={sendByKey}
      />
      <Templates
        isOfField={place.code !== null}
        onChoose={(template) => {
          change({ text: withTemplate(text, template) })
          // Most templates are completed by hand, and sent by key from there.
          box.current?.focus()
        }}
      />
      <DayInput
        label={t('raise.due')}
        value={due}
        error={isTried && isDueWrong ? t('form:issue.not-date') : null}
        onChange={(next) => change({ due: next })}
        onBlur={() => dueOn !== null && change({ due: dueOn })}
      />
      <FilesToSend
        projectId={projectId}
        about={{ queryId: id, patientId: place.patientId }}
        files={files}
        onFiles={changeFiles}
        onTaking={setTaking}
      />
      <QuestionMarks question={question} onChange={change} />
    </SubmitDialog>
  )
}

interface QuestionMarksProps {
  readonly question: UnsentQuestion
  readonly onChange: (part: Partial<UnsentQuestion>) => void
}

/** What else is said of a question: that it is urgent, that somebody has to decide that it is asked. */
function QuestionMarks({ question: { isUrgent, isCandidate }, onChange }: QuestionMarksProps) {
  const { t } = useTranslation('query')
  return (
    <>
      <Checkbox
        size="md"
        label={t('raise.urgent')}
        checked={isUrgent}
        onChange={(event) => onChange({ isUrgent: event.currentTarget.checked })}
      />
      <Checkbox
        size="md"
        label={t('raise.candidate')}
        checked={isCandidate}
        onChange={(event) => onChange({ isCandidate: event.currentTarget.checked })}
      />
    </>
  )
}

/** What somebody is asking about a place, as far as they have begun. */
function useQuestion(place: QueryPlace) {
  const [blank] = useState((): UnsentQuestion => ({ ...NOTHING_ASKED, id: newId() }))
  const [begun, setBegun] = useUnsentQuestion(JSON.stringify(place))
  const change = (part: Partial<UnsentQuestion>) => setBegun((now) => ({ ...(now ?? blank), ...part }))
  const changeFiles = (to: (files: UnsentQuestion['files']) => UnsentQuestion['files']) =>
    setBegun((now) => ({ ...(now ?? blank), files: to((now ?? blank).files) }))
  return { question: begun ?? blank, change, changeFiles, clear: () => setBegun(null) }
}

/** Ctrl or ⌘ with Enter sends what is typed. */
function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

interface TemplatesProps {
  readonly isOfField: boolean
  readonly onChoose: (template: string) => void
}

/** Questions that are asked often, in the words of the trade. */
function Templates({ isOfField, onChoose }: TemplatesProps) {
  const { t } = useTranslation('query')
  return (
    <Group component="fieldset" gap="xs" className={classes.group} aria-label={t('raise.template')}>
      {(isOfField ? OF_FIELD : OF_MORE).map((one) => (
        <Button
          key={one}
          size="sm"
          variant="light"
          h="auto"
          mih="var(--zl-control)"
          py={6}
          ta="start"
          lh={1.35}
          styles={{ label: { whiteSpace: 'normal' } }}
          onClick={() => onChoose(t(`raise.templates.${one}`))}
        >
          {t(`raise.templates.${one}`)}
        </Button>
      ))}
    </Group>
  )
}

/** A template stands alone, or after what was typed already. */
function withTemplate(before: string, template: string): string {
  return before.trim() === '' ? template : `${before.trimEnd()}\n${template}`
}
