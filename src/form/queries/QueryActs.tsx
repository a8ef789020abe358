import { Button, Chip, Group, Stack, Textarea } from '@mantine/core'
import { use, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { QueryAct } from '#core/review/query.ts'
import { WORDLESS, answerCategories } from '#core/review/queryThread.ts'
import type { AnswerCategory } from '#core/review/queryThread.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { Deed, QueryView } from '#src/data/shapes/queryTypes.ts'
import type { AboutQuery } from '#src/data/shapes/fileTypes.ts'
import { Note } from '#src/ui/Note.tsx'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { AssignQuery } from './AssignQuery.tsx'
import { useCanAssign } from './assignees.ts'
import classes from './queries.module.css'
import { FilesToSend } from './QueryFiles.tsx'
import { useUnsentWords } from './unsentWords.ts'
import type { UnsentWords } from './unsentWords.ts'

interface QueryActsProps {
  readonly projectId: string
  readonly view: QueryView
  /** What its field holds on this screen; left out where the field is not on it. */
  readonly seen?: ItemContent | null
}

/**
 * What who looks may do with a query. What needs no words is done at once; the rest asks for them. What was typed stays
 * until it is sent, also where somebody else was faster: then it still reaches the thread.
 */
export function QueryActs({ projectId, view, seen = null }: QueryActsProps) {
  const { t } = useTranslation('query')
  const errorText = useErrorText()
  const device = use(DeviceContext)
  const [words, setWords] = useUnsentWords(view.query.id)
  const [error, setError] = useState<ApiError | null>(null)
  const { query } = view
  const canAssign = useCanAssign()
  const acts = canAssign([view]) ? view.acts : view.acts.filter((act) => act !== 'assign')
  const send = async (deed: Deed): Promise<boolean> => {
    const done = (await device?.actOnQuery(projectId, query, seen === null ? deed : { ...deed, seen })) ?? {
      ok: false,
      error: { code: 'vault_locked' },
    }
    setError(done.ok ? null : done.error)
    if (done.ok) setWords(null)
    return done.ok
  }
  const back = () => {
    for (const { id } of words?.files ?? []) void device?.discardQueryFile(id)
    setWords(null)
  }
  return (
    <Stack gap="xs">
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      {words === null ? (
        <Group gap="xs">
          {inOrder(acts).map((act, at) => (
            <Button
              key={act}
              size="md"
              variant={at === 0 && act !== 'comment' && act !== 'assign' ? 'filled' : 'default'}
              onClick={() => {
                if (WORDLESS.has(act) && act !== 'assign') void send({ act, text: null, category: null })
                else setWords({ act, text: '', category: null, files: [] })
              }}
            >
              {t(`act.${act}`)}
            </Button>
          ))}
        </Group>
      ) : words.act === 'assign' ? (
        <AssignQuery
          projectId={projectId}
          view={view}
          text={words.text}
          onText={(text) => setWords({ ...words, text })}
          onSend={send}
          onBack={() => setWords(null)}
        />
      ) : (
        <Saying
          projectId={projectId}
          about={{ queryId: query.id, patientId: query.patientId }}
          words={words}
          onWords={setWords}
          onSend={send}
          onBack={back}
        />
      )}
    </Stack>
  )
}

/** What comes first is what the query waits for. */
const ORDER: readonly QueryAct[] = [
  'answer',
  'promote',
  'close',
  'requery',
  'reopen',
  'reject',
  'assign',
  'comment',
  'cancel',
]

function inOrder(acts: readonly QueryAct[]): readonly QueryAct[] {
  return ORDER.filter((act) => acts.includes(act))
}

interface SayingProps {
  readonly projectId: string
  readonly about: AboutQuery
  readonly words: UnsentWords
  readonly onWords: ReturnType<typeof useUnsentWords>[1]
  readonly onSend: (deed: Deed) => Promise<boolean>
  readonly onBack: () => void
}

/**
 * Scrolls all of a form into sight, with the button that sends: where it opens at the lower end of a low panel, and
 * when it grows.
 */
function useInSight(form: RefObject<HTMLFormElement | null>, size: number): void {
  useEffect(() => {
    // In newer browsers it gives a promise, which is nothing that an effect may return.
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [form, size])
}

function Saying({ projectId, about, words, onWords, onSend, onBack }: SayingProps) {
  const { t } = useTranslation('query')
  const { act, text, category, files } = words
  const [isLeaving, setLeaving] = useState(false)
  const [isTaking, setTaking] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useInSight(form, files.length)
  const send = async () => {
    if (isTaking) return
    if (text.trim() === '' && category === null) return setMissing(true)
    setBusy(true)
    const said = { act, text: text.trim() === '' ? null : text.trim(), category }
    await onSend(files.length === 0 ? said : { ...said, files: [...files] })
    return setBusy(false)
  }
  return (
    <form
      ref={form}
      className={classes.saying}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Stack gap="xs">
        {act === 'answer' && (
          <CategoryChips category={category} onChoose={(next) => onWords({ ...words, category: next })} />
        )}
        <Textarea
          size="md"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          data-autofocus
          label={t(`words.${act}`)}
          value={text}
          error={
            isMissing && text.trim() === '' && category === null
              ? t(act === 'answer' ? 'needsWords' : 'needsText')
              : null
          }
          onChange={(event) => onWords({ ...words, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            void send()
          }}
        />
        <FilesToSend
          projectId={projectId}
          about={about}
          files={files}
          onFiles={(change) => onWords((now) => (now === null ? null : { ...now, files: change(now.files) }))}
          onTaking={setTaking}
        />
        <Group gap="xs">
          <Button type="submit" size="md" loading={busy || isTaking}>
            {t(`act.${act}`)}
          </Button>
          <Button size="md" variant="default" onClick={() => (files.length === 0 ? onBack() : setLeaving(true))}>
            {t('back')}
          </Button>
        </Group>
        <ConfirmDialog
          opened={isLeaving}
          danger
          title={t('files.dropTitle')}
          text={t('files.dropText', { count: files.length })}
          submit={t('files.drop')}
          onClose={() => setLeaving(false)}
          onConfirm={onBack}
        />
      </Stack>
    </form>
  )
}

interface CategoryChipsProps {
  readonly category: AnswerCategory | null
  readonly onChoose: (category: AnswerCategory | null) => void
}

/** What kind of an answer it is. */
function CategoryChips({ category, onChoose }: CategoryChipsProps) {
  const { t } = useTranslation('query')
  return (
    <Chip.Group value={category} onChange={(value) => onChoose(answerCategories.find((one) => one === value) ?? null)}>
      <Group component="fieldset" gap="xs" className={classes.group} aria-label={t('kind')}>
        {answerCategories.map((one) => (
          <Chip key={one} value={one} size="md" variant="outline" classNames={{ label: classes.chip ?? '' }}>
            {t(`category.${one}`)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
