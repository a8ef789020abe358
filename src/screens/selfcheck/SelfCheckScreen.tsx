import { Button, Textarea } from '@mantine/core'
import { IconCopy, IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'
import { addSelfCheckTexts } from '#src/i18n/selfcheck.ts'
import { Note } from '#src/ui/Note.tsx'

import { CheckLine } from './CheckLine.tsx'
import { runChecks } from './checks.ts'
import { checkIds, summaryOf } from './finding.ts'
import type { Findings } from './finding.ts'
import { reportText } from './report.ts'
import classes from './selfcheck.module.css'

addSelfCheckTexts()

/** /test: tests on the spot whether this device is reliable, with or without a network and a sign-in. */
export function SelfCheckScreen() {
  const { t } = useTranslation('selfcheck')
  const { findings, testAgain } = useFindings()
  const summary = summaryOf(findings)
  const { copied, copy, forget } = useCopiedReport(findings)
  const again = () => {
    forget()
    testAgain()
  }
  return (
    <div className={classes.screen}>
      <ScreenBar />
      <main className={classes.main}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.intro}>{t('intro')}</p>
        <output>
          {summary === null ? (
            <Note tone="info">{t('running')}</Note>
          ) : (
            <Note tone={summary.mark === 'good' ? 'done' : summary.mark === 'warn' ? 'warning' : 'error'}>
              <strong>{t(`summary.${summary.mark}`, { count: summary.count })}</strong>
            </Note>
          )}
        </output>
        <ul className={classes.list}>
          {checkIds.map((id) => (
            <CheckLine key={id} id={id} finding={findings[id] ?? null} />
          ))}
        </ul>
        <div className={classes.actions}>
          <Button
            size="md"
            disabled={summary === null}
            leftSection={<IconCopy size={20} aria-hidden="true" />}
            onClick={() => void copy()}
          >
            {t('copy')}
          </Button>
          <Button
            size="md"
            variant="default"
            disabled={summary === null}
            leftSection={<IconRefresh size={20} aria-hidden="true" />}
            onClick={again}
          >
            {t('again')}
          </Button>
          <Button size="md" variant="default" component={Link} to="/">
            {t('back')}
          </Button>
        </div>
        {copied !== null && <CopiedNote byHand={copied.byHand} />}
      </main>
    </div>
  )
}

/** The findings so far. */
function useFindings(): { readonly findings: Findings; readonly testAgain: () => void } {
  const [findings, setFindings] = useState<Findings>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isHere = true
    void runChecks((id, finding) => {
      if (isHere) setFindings((before) => ({ ...before, [id]: finding }))
    })
    return () => {
      isHere = false
    }
  }, [round])
  const testAgain = () => {
    setFindings({})
    setRound(round + 1)
  }
  return { findings, testAgain }
}

/** The text to copy by hand where the browser refused to copy; null where it copied. */
interface Copied {
  readonly byHand: string | null
}

/** Copies the report, for the person who looks after the device. */
function useCopiedReport(findings: Findings) {
  const { t } = useTranslation('selfcheck')
  const [copied, setCopied] = useState<Copied | null>(null)
  const copy = async () => {
    const text = reportText(findings, t)
    const { clipboard } = navigator as Partial<Navigator>
    const isDone = await clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setCopied({ byHand: isDone === true ? null : text })
  }
  return { copied, copy, forget: () => setCopied(null) }
}

/** The name of the product, and the switch of language. */
function ScreenBar() {
  const { t } = useTranslation('common')
  const { language } = usePreferences()
  const other = language === 'zh' ? 'en' : 'zh'
  return (
    <header className={classes.bar}>
      <Link to="/" className={classes.brand}>
        <span className="zl-mark" />
        {t('product')}
      </Link>
      <Button variant="subtle" size="md" lang={other} onClick={() => setPreferences({ language: other })}>
        {t(`languageName.${other}`)}
      </Button>
    </header>
  )
}

function CopiedNote({ byHand }: Copied) {
  const { t } = useTranslation('selfcheck')
  if (byHand === null) {
    return (
      <Note tone="done" live>
        {t('copied')}
      </Note>
    )
  }
  return (
    <>
      <Note tone="info" live>
        {t('copyByHand')}
      </Note>
      <Textarea
        readOnly
        autosize
        maxRows={20}
        aria-label={t('reportText')}
        value={byHand}
        onFocus={(event) => event.currentTarget.select()}
      />
    </>
  )
}
