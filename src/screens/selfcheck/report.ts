import { APP_VERSION } from '#src/session/appVersion.ts'
import { fullTime } from '#src/ui/words/format.ts'

import { checkIds } from './finding.ts'
import type { Findings, Words } from './finding.ts'

/**
 * The findings as a text for whoever helps: what was found, on which browser, when. Nothing of a person or a study is
 * in it.
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
