import { Button, Chip, Group, Stack, Textarea } from '@mantine/core'
import { use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { QueryAct } from '#core/review/query.ts'
import { WORDLESS, answerCategories } from '#core/review/queryThread.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { Deed, QueryView } from '#src/data/shapes/queryTypes.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './queries.module.css'
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
  const { query, acts } = view
  const send = async (deed: Deed): Promise<boolean> => {
    const done = (await device?.actOnQuery(projectId, query, seen === null ? deed : { ...deed, seen })) ?? {
      ok: false,
      error: { code: 'vault_locked' },
    }
    setError(done.ok ? null : done.error)
    if (done.ok) setWords(null)
    return done.ok
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
              variant={at === 0 && act !== 'comment' ? 'filled' : 'default'}
              onClick={() => {
                if (WORDLESS.has(act)) void send({ act, text: null, category: null })
                else setWords({ act, text: '', category: null })
              }}
            >
              {t(`act.${act}`)}
            </Button>
          ))}
        </Group>
      ) : (
        <Saying words={words} onWords={setWords} onSend={send} onBack={() => setWords(null)} />
      )}
    </Stack>
  )
}

/** What comes first is what the query waits for. */
const ORDER: readonly QueryAct[] = ['answer', 'promote', 'close', 'requery', 'reopen', 'reject', 'comment', 'cancel']

function inOrder(acts: readonly QueryAct[]): readonly QueryAct[] {
  return ORDER.filter((act) => acts.includes(act))
}

interface SayingProps {
  readonly words: UnsentWords
  readonly onWords: (words: UnsentWords) => void
  readonly onSend: (deed: Deed) => Promise<boolean>
  readonly onBack: () => void
}

function Saying({ words, onWords, onSend, onBack }: SayingProps) {
  const { t } = useTranslation('query')
  const { act, text, category } = words
  const [isMissing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (text.trim() === '' && category === null) return setMissing(true)
    setBusy(true)
    await onSend({ act, text: text.trim() === '' ? null : text.trim(), category })
    return setBusy(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Stack gap="xs">
        {act === 'answer' && (
          <Chip.Group
            value={category}
            onChange={(value) => onWords({ ...words, category: answerCategories.find((one) => one === value) ?? null })}
          >
            <Group component="fieldset" gap="xs" className={classes.group} aria-label={t('kind')}>
              {answerCategories.map((one) => (
                <Chip key={one} value={one} size="md" variant="outline">
                  {t(`category.${one}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
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
        <Group gap="xs">
          <Button type="submit" size="md" loading={busy}>
            {t(`act.${act}`)}
          </Button>
          <Button size="md" variant="default" onClick={onBack}>
            {t('back')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
