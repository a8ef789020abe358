import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { isSdtmFormat } from '#core/dataset/formats.ts'
import { checkAgainstPages } from '#core/dataset/sdtm/checkMapping.ts'
import { countMapped, mappingText } from '#core/dataset/sdtm/mapping.ts'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { MOST_MAPPING_CHARACTERS, describeFaults, readMapping } from '#core/dataset/sdtm/readMapping.ts'
import type { MappingProblem } from '#core/dataset/sdtm/readMapping.ts'
import { useServerCall } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { ChooseFile } from '#src/ui/ChooseFile.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Waiting } from '#src/ui/Loaded.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { figure } from '#src/ui/words/format.ts'

import type { SectionProps } from './section.ts'

interface SdtmSectionProps extends SectionProps {
  readonly projectId: string
}

/** By what the tables of SDTM are made: a proposal, the file that somebody made of it, and what is wrong in one. */
export function SdtmSection({ projectId, definition, facts, put }: SdtmSectionProps) {
  const { t } = useTranslation('dataExport')
  const [refused, setRefused] = useState<RefusedFile | null>(null)
  const [isProposing, setProposing] = useState(false)
  const { sdtm: mapping, formats } = definition
  if (!formats.some(isSdtmFormat)) return null
  const use = (next: SdtmMapping) => {
    setRefused(null)
    put({ sdtm: next })
  }
  const misfits = mapping === undefined ? [] : describeFaults(mapping, checkAgainstPages(mapping, facts.pages))
  return (
    <Panel title={t('sdtm.title')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('sdtm.hint')}
        </Text>
        {mapping !== undefined && <MappedTables mapping={mapping} />}
        {mapping === undefined && isProposing && <Waiting rows={3} />}
        {mapping === undefined && !isProposing && <Note tone="info">{t('sdtm.required')}</Note>}
        {misfits.length > 0 && <Problems title={t('sdtm.misfits', { count: misfits.length })} problems={misfits} />}
        <MappingActs
          projectId={projectId}
          mapping={mapping ?? null}
          onUse={use}
          onRefuse={setRefused}
          onWait={setProposing}
        />
        {refused !== null && (
          <div aria-live="polite">
            <Note tone="error">{t('sdtm.refused', { name: refused.name })}</Note>
            <Problems title={t('sdtm.problems', { count: refused.problems.length })} problems={refused.problems} />
          </div>
        )}
      </Stack>
    </Panel>
  )
}

interface RefusedFile {
  readonly name: string
  readonly problems: readonly MappingProblem[]
}

function MappedTables({ mapping }: { readonly mapping: SdtmMapping }) {
  const { t } = useTranslation('dataExport')
  const caption = t('sdtm.mapped', { study: mapping.study, standard: mapping.standard })
  return (
    <DataTable
      caption={caption}
      columns={[
        { key: 'domain', title: t('sdtm.domain'), cell: ({ domain }) => domain, short: true },
        { key: 'label', title: t('sdtm.label'), cell: ({ label }) => label },
        { key: 'variables', title: t('sdtm.variables'), cell: ({ variables }) => figure(variables, 0), align: 'right' },
        { key: 'tests', title: t('sdtm.tests'), cell: ({ tests }) => figure(tests, 0), align: 'right' },
      ]}
      rows={countMapped(mapping)}
      rowKey={({ domain }) => domain}
    />
  )
}

interface MappingActsProps {
  readonly projectId: string
  readonly mapping: SdtmMapping | null
  readonly onUse: (mapping: SdtmMapping) => void
  readonly onRefuse: (refused: RefusedFile) => void
  /** Called with whether a proposal is being made. */
  readonly onWait: (isProposing: boolean) => void
}

function MappingActs({ projectId, mapping, onUse, onRefuse, onWait }: MappingActsProps) {
  const { t } = useTranslation('dataExport')
  const errorText = useErrorText()
  const call = useServerCall()
  const [isReading, setReading] = useState(false)
  const [failure, setFailure] = useState<ApiError | 'nothing' | null>(null)
  const propose = async (take: (proposal: SdtmMapping) => void) => {
    setFailure(null)
    onWait(true)
    const answer = await call('dataset.sdtm', { query: { projectId } })
    onWait(false)
    if (!answer.ok) setFailure(answer.error)
    else if (answer.value === null) setFailure('nothing')
    else take(answer.value)
  }
  const read = async (file: File | null) => {
    if (file === null) return
    setReading(true)
    // Nobody waits for a file that is refused anyway.
    const text = file.size > 4 * MOST_MAPPING_CHARACTERS ? ' '.repeat(MOST_MAPPING_CHARACTERS + 1) : await file.text()
    setReading(false)
    const mappingRead = readMapping(text)
    if (mappingRead.ok) onUse(mappingRead.value)
    else onRefuse({ name: file.name, problems: mappingRead.error })
  }
  return (
    <>
      <Group>
        <ServerButton size="md" variant="default" onClick={() => void propose(onUse)}>
          {t(mapping === null ? 'sdtm.use' : 'sdtm.useAnew')}
        </ServerButton>
        <ServerButton size="md" variant="default" onClick={() => void propose(saveMapping)}>
          {t('sdtm.downloadProposal')}
        </ServerButton>
        {mapping !== null && (
          <Button size="md" variant="default" onClick={() => saveMapping(mapping)}>
            {t('sdtm.download')}
          </Button>
        )}
        <ChooseFile
          accept=".json,application/json"
          label={t('sdtm.upload')}
          reading={isReading ? t('sdtm.reading') : null}
          name={null}
          onChoose={(file) => void read(file)}
        />
      </Group>
      {failure !== null && (
        <Note tone="error" live>
          {failure === 'nothing' ? t('sdtm.nothing') : errorText(failure)}
        </Note>
      )}
    </>
  )
}

function saveMapping(mapping: SdtmMapping): void {
  downloadFile('sdtm-mapping.json', new Blob([mappingText(mapping)], { type: 'application/json' }))
}

function Problems({ title, problems }: { readonly title: string; readonly problems: readonly MappingProblem[] }) {
  const { t } = useTranslation('dataExport')
  const hasLines = problems.some(({ line }) => line !== null)
  return (
    <DataTable
      caption={title}
      columns={[
        ...(hasLines
          ? [
              {
                key: 'line',
                title: t('sdtm.line'),
                cell: ({ line }: MappingProblem) => (line === null ? '' : figure(line, 0)),
                align: 'right' as const,
              },
            ]
          : []),
        { key: 'problem', title: t('sdtm.problem'), cell: ({ kind }) => t(`sdtm.kinds.${kind}`) },
        { key: 'page', title: t('sdtm.page'), cell: ({ page }) => page ?? '', short: true },
        { key: 'field', title: t('sdtm.field'), cell: ({ field }) => field ?? '', short: true },
        { key: 'path', title: t('sdtm.path'), cell: ({ path }) => path },
      ]}
      rows={problems}
      rowKey={({ kind, path }) => `${kind} ${path}`}
    />
  )
}
