import { Button, Textarea } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconCopy,
  IconInfoCircle,
  IconRefresh,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'
import { addSelfCheckTexts } from '#src/i18n/selfcheck.ts'
import { Note } from '#src/ui/Note.tsx'

import { runChecks } from './checks.ts'
import { checkIds, summaryOf } from './finding.ts'
import type { CheckId, Finding, Findings } from './finding.ts'
import { reportText } from './report.ts'
import classes from './selfcheck.module.css'

addSelfCheckTexts()

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  info: IconInfoCircle,
  skipped: IconCircleDashed,
  running: IconCircleDashed,
}

/** /test: whether this device can be relied on, tested where it stands, with or without a network and a sign-in. */
export function SelfCheckScreen() {
  const { t } = useTranslation(['selfcheck', 'common'])
  const { language } = usePreferences()
  const [findings, setFindings] = useState<Findings>({})
  const [round, setRound] = useState(0)
  /** The text where the browser would not take it, for copying by hand. */
  const [copied, setCopied] = useState<{ readonly byHand: string | null } | null>(null)

  useEffect(() => {
    let isHere = true
    void runChecks((id, finding) => {
      if (isHere) setFindings((before) => ({ ...before, [id]: finding }))
    })
    return () => {
      isHere = false
    }
  }, [round])

  const again = () => {
    setFindings({})
    setCopied(null)
    setRound(round + 1)
  }
  const summary = summaryOf(findings)
  const copy = async () => {
    const text = reportText(findings, t)
    const { clipboard } = navigator as Partial<Navigator>
    const isDone = await clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setCopied({ byHand: isDone === true ? null : text })
  }
  return (
    <div className={classes.screen}>
      <header className={classes.bar}>
        <Link to="/" className={classes.brand}>
          <img src="/icon.svg" alt="" width={28} height={28} />
          {t('common:product')}
        </Link>
        <Button
          variant="subtle"
          size="md"
          lang={language === 'zh' ? 'en' : 'zh'}
          onClick={() => setPreferences({ language: language === 'zh' ? 'en' : 'zh' })}
        >
          {t(`common:languageName.${language === 'zh' ? 'en' : 'zh'}`)}
        </Button>
      </header>
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
        {copied?.byHand === null && (
          <Note tone="done" live>
            {t('copied')}
          </Note>
        )}
        {typeof copied?.byHand === 'string' && (
          <>
            <Note tone="info" live>
              {t('copyByHand')}
            </Note>
            <Textarea
              readOnly
              autosize
              maxRows={20}
              aria-label={t('reportText')}
              value={copied.byHand}
              onFocus={(event) => event.currentTarget.select()}
            />
          </>
        )}
      </main>
    </div>
  )
}

function CheckLine({ id, finding }: { readonly id: CheckId; readonly finding: Finding | null }) {
  const { t } = useTranslation('selfcheck')
  const mark = finding?.mark ?? 'running'
  const Icon = icons[mark]
  return (
    <li className={classes.line} data-mark={mark}>
      <div className={classes.what}>
        <h2 className={classes.name}>{t(`checks.${id}.title`)}</h2>
        <p className={classes.quiet}>{t(`checks.${id}.what`)}</p>
      </div>
      <div className={classes.found}>
        <p className={classes.mark}>
          <Icon size={20} aria-hidden="true" />
          {t(`mark.${mark}`)}
        </p>
        {finding !== null && <p className={classes.said}>{finding.said(t)}</p>}
        {finding?.help !== undefined && <p className={classes.help}>{finding.help(t)}</p>}
      </div>
    </li>
  )
}
