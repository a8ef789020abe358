import { Button, Radio, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_REASON } from '#core/form/definition/shape.ts'
import type { Missing, MissingCode } from '#core/form/definition/value.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'

import classes from '../form.module.css'

/** The usual reasons, each with its code. The text that is stored is the word that was read. */
const USUAL = [
  { m: 'ND', word: 'refused' },
  { m: 'ND', word: 'notDone' },
  { m: 'ND', word: 'broken' },
  { m: 'UNK', word: 'unknown' },
  { m: 'NA', word: 'notApplicable' },
] as const satisfies readonly { readonly m: MissingCode; readonly word: string }[]

interface MissingReasonsProps {
  readonly title: string
  readonly onGive: (missing: Missing) => void
}

/** Asks why there is no value: a tap on a usual reason is all; another one is written, with its kind. */
export function MissingReasons({ title, onGive }: MissingReasonsProps) {
  const { t } = useTranslation('form')
  const [other, setOther] = useState(false)
  return (
    <section aria-label={title}>
      <h3 className={classes.sheetTitle}>{title}</h3>
      <div className={classes.choices}>
        {USUAL.map(({ m, word }, at) => (
          <button
            key={word}
            type="button"
            className={classes.reason}
            data-autofocus={at === 0 || undefined}
            onClick={() => onGive({ m, reason: t(`missing.usual.${word}`) })}
          >
            {t(`missing.usual.${word}`)}
          </button>
        ))}
        <button type="button" className={classes.reason} aria-expanded={other} onClick={() => setOther(!other)}>
          {t('missing.other')}
        </button>
      </div>
      {other && <OtherReason onGive={onGive} />}
    </section>
  )
}

function OtherReason({ onGive }: Pick<MissingReasonsProps, 'onGive'>) {
  const { t } = useTranslation('form')
  const [code, setCode] = useState<string>(MISSING_CODES[0])
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const words = useRef<HTMLInputElement>(null)
  useEffect(() => words.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const m = MISSING_CODES.find((item) => item === code)
    if (m === undefined || reason.trim() === '') return
    onGive({ m, reason: reason.trim() })
  }
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack mt="md">
        <Radio.Group value={code} onChange={setCode} aria-label={t('missing.kind')}>
          {MISSING_CODES.map((item) => (
            <Radio key={item} value={item} label={t(`missing.${item}`)} py={8} size="md" />
          ))}
        </Radio.Group>
        <TextInput
          label={t('missing.reason')}
          placeholder={t('missing.reasonHint')}
          value={reason}
          maxLength={MAX_REASON}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={tried && reason.trim() === '' ? t('missing.reasonRequired') : null}
          size="md"
          withAsterisk
          ref={words}
        />
        <Button type="submit" size="md">
          {t('save')}
        </Button>
      </Stack>
    </form>
  )
}
