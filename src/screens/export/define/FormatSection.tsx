import { Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { printOf } from '#core/dataset/definition.ts'
import type { DataFormatId } from '#core/dataset/formats.ts'
import {
  casebookFormatIds,
  dataFormatIds,
  hasTrail,
  isCasebookFormat,
  isPaperFormat,
  sdtmFormatIds,
} from '#core/dataset/formats.ts'
import { dataFormats } from '#core/exchange/data/dataFormats.ts'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from '../export.module.css'
import { formatKey } from '../formatKey.ts'
import type { SectionProps } from './section.ts'

/** The formats as cards in three kinds: tables, tables of SDTM, and casebooks, the latter with what they are for. */
export function FormatSection({ definition, facts, put }: SectionProps) {
  const { t } = useTranslation('dataExport')
  const { formats } = definition
  return (
    <Panel title={t('formats.title')}>
      <Checkbox.Group
        aria-label={t('formats.title')}
        value={[...formats]}
        onChange={(chosen) => put({ formats: dataFormatIds.filter((id) => chosen.includes(id)) })}
      >
        <Stack gap="md">
          <TableFormats />
          <SdtmFormats />
          <CasebookFormats definition={definition} facts={facts} />
        </Stack>
      </Checkbox.Group>
      {formats.some(isPaperFormat) && <PaperOptions definition={definition} put={put} />}
    </Panel>
  )
}

function TableFormats() {
  const { t } = useTranslation('dataExport')
  const between = useLanguage() === 'zh' ? '、' : ', '
  return (
    <FormatKind title={t('formats.tables')} hint={t('formats.tablesHint')}>
      {dataFormats.map(({ id, oneFile, carries }) => (
        <FormatCard key={id} id={id}>
          <small>{t(oneFile ? 'formats.oneFile' : 'formats.manyFiles')}</small>
          <small>
            {carries.length === 0
              ? t('formats.plain')
              : carries.map((fact) => t(`formats.carries.${fact}`)).join(between)}
          </small>
        </FormatCard>
      ))}
    </FormatKind>
  )
}

function SdtmFormats() {
  const { t } = useTranslation('dataExport')
  return (
    <FormatKind title={t('formats.sdtm')} hint={t('formats.sdtmHint')}>
      {sdtmFormatIds.map((id) => (
        <FormatCard key={id} id={id}>
          <small>{t(`formats.about.${id}`)}</small>
        </FormatCard>
      ))}
    </FormatKind>
  )
}

/** Casebooks can be chosen where data leave as they are; else it is said why not, beside those that were chosen. */
function CasebookFormats({ definition, facts }: Pick<SectionProps, 'definition' | 'facts'>) {
  const { t } = useTranslation('dataExport')
  const { deidentify, formats } = definition
  const chosen = formats.filter(isCasebookFormat)
  const shown = deidentify.on ? chosen : casebookFormatIds.filter((id) => facts.mayReadTrail || !hasTrail(id))
  return (
    <FormatKind
      title={t('formats.casebooks')}
      hint={t('formats.casebooksHint')}
      note={
        deidentify.on ? (
          chosen.length > 0 ? (
            <Note tone="error">{t('formats.isDeidentified')}</Note>
          ) : (
            <Note tone="info">{t(facts.mayIdentify ? 'formats.needsIdentified' : 'formats.neverIdentified')}</Note>
          )
        ) : (
          !facts.mayReadTrail && <Note tone="info">{t('formats.noTrail')}</Note>
        )
      }
    >
      {shown.map((id) => (
        <FormatCard key={id} id={id}>
          <small>{t(`formats.about.${formatKey(id)}`)}</small>
        </FormatCard>
      ))}
    </FormatKind>
  )
}

/** What casebooks for paper hold beside what was entered. */
function PaperOptions({ definition, put }: Pick<SectionProps, 'definition' | 'put'>) {
  const { t } = useTranslation('dataExport')
  const print = printOf(definition)
  return (
    <Stack component="section" gap="xs" mt="md" aria-label={t('formats.paper.title')}>
      <h3 className={classes.kind}>{t('formats.paper.title')}</h3>
      <p className={classes.hint}>{t('formats.paper.language')}</p>
      <Checkbox
        size="md"
        label={t('formats.paper.queries')}
        checked={print.queries}
        onChange={(event) => put({ print: { ...print, queries: event.currentTarget.checked } })}
      />
      <Checkbox
        size="md"
        label={t('formats.paper.photographs')}
        description={t('formats.paper.photographsHint')}
        checked={print.photographs}
        onChange={(event) => put({ print: { ...print, photographs: event.currentTarget.checked } })}
      />
    </Stack>
  )
}

interface FormatKindProps {
  readonly title: string
  readonly hint: string
  readonly note?: ReactNode
  readonly children: readonly ReactNode[]
}

function FormatKind({ title, hint, note, children }: FormatKindProps) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <h3 className={classes.kind}>{title}</h3>
      <p className={classes.hint}>{hint}</p>
      {note}
      {children.length > 0 && <div className={classes.cards}>{children}</div>}
    </Stack>
  )
}

function FormatCard({ id, children }: { readonly id: DataFormatId; readonly children: ReactNode }) {
  const { t } = useTranslation('dataExport')
  return (
    <Checkbox.Card value={id} className={classes.card} aria-label={t(`dataFormat.${formatKey(id)}`)}>
      <Checkbox.Indicator size="sm" />
      <span>
        <strong>{t(`dataFormat.${formatKey(id)}`)}</strong>
        {children}
      </span>
    </Checkbox.Card>
  )
}
