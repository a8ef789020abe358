import { Kbd, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

import classes from './check.module.css'
import type { Checking, CheckQuestion } from './useChecking.ts'

interface ReasonQuestionProps {
  readonly question: CheckQuestion
  readonly give: Checking['give']
  readonly onClose: () => void
}

/** Asks why something is taken back or exempt. What was typed stays until the server has it. */
export function ReasonQuestion({ question, give, onClose }: ReasonQuestionProps) {
  const { t } = useTranslation('review')
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    return reason.trim() === '' ? null : give(reason.trim())
  }
  return (
    <SubmitDialog
      title={t(`reason.${question.act}`, { label: question.label })}
      submit={t(`act.${question.act}`)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Textarea
        size="md"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1000}
        data-autofocus
        required
        label={t('reason.label')}
        value={reason}
        error={isTried && reason.trim() === '' ? t('reason.required') : null}
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
    </SubmitDialog>
  )
}

const KEYS = [
  ['move', ['↑', '↓']],
  ['verify', ['v']],
  ['verifyAll', ['Shift', 'V']],
  ['takeBack', ['u']],
  ['exempt', ['x']],
  ['query', ['q']],
  ['send', ['Ctrl', 'Enter']],
  ['source', ['s']],
  ['details', ['Alt', 'H']],
  ['next', ['n']],
  ['pages', ['j', 'k']],
  ['help', ['?']],
] as const

/** What the keys do on a page that is checked. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('review')
  return (
    <Sheet title={t('keys.title')} size="lg" onClose={onClose}>
      <dl className={classes.keys}>
        {KEYS.map(([what, keys]) => (
          <div key={what} style={{ display: 'contents' }}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{t(`keys.${what}`)}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
