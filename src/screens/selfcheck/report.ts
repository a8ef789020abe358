import { APP_VERSION } from '#src/session/appVersion.ts'
import { fullTime } from '#src/ui/words/format.ts'

import { checkIds } from './finding.ts'
import type { Findings, Words } from './finding.ts'

/**
 * The findings as a text for whoever helps: the results, the browser, the time. It contains nothing about a person or a
 * study.
 */
export function reportText(findings: Findings, t: Words, at: Date = new Date()): string {
  const lines = checkIds.flatMap((id) => {
    const finding = findings[id]
    return finding === undefined
      ? []
      : [`[${t(`mark.${finding.mark}`)}] ${t(`checks.${id}.title`)}: ${finding.said(t)}`]
  })
  return [
    t('title'),
    `${t('report.time')}: ${fullTime(at.toISOString())}`,
    `${t('report.version')}: ${APP_VERSION}`,
    `${t('report.address')}: ${window.location.origin}`,
    `${t('report.agent')}: ${navigator.userAgent}`,
    '',
    ...lines,
  ].join('\n')
}
