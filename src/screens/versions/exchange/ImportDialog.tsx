import { FileButton, Button, Group, Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { DefinitionError, StudyDefinition } from '#core/exchange/definition.ts'
import type { ReadDefinition } from '#core/exchange/readDefinition.ts'
import type { ImportMode } from '#core/wire/importModes.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { ImportChoice } from './ImportChoice.tsx'
import { ImportPreview } from './ImportPreview.tsx'
import type { DefinitionWork } from './definitionFile.ts'
import { readDefinitionFile } from './definitionFile.ts'
import { definitionInputOf } from './importInput.ts'
import type { LookedAt } from './importPlan.ts'
import { importConsequences } from './importPlan.ts'
import classes from './import.module.css'

interface ImportDialogProps {
  readonly projectId: string
  readonly version: VersionSummary
  readonly onClose: () => void
}

interface ReadFile {
  readonly name: string
  readonly evidence: string
  readonly definition: StudyDefinition
}

/** What an import came to, and whether it was taken back. */
interface Imported {
  readonly pages: number
  readonly fields: number
  readonly stateId: string
  readonly rev: number
  readonly isBack: boolean
}

type Trouble = DefinitionError | { readonly kind: 'unreadable' }

/**
 * Reads a study definition on this device, shows what it will become and what it cannot, then puts it into the draft.
 */
export function ImportDialog({ projectId, version, onClose }: ImportDialogProps) {
  const { t } = useTranslation(['admin', 'common'])
  const errorText = useErrorText()
  const act = useServerAction()
  const [reading, setReading] = useState(false)
  const [file, setFile] = useState<ReadFile | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [folder, setFolder] = useState<string>(t('crf.import.folderDefault'))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [done, setDone] = useState<Imported | null>(null)
  const [mode, setMode] = useState<ImportMode>('add')
  const [asked, setAsked] = useState(() => String(performance.now()))
  // What was read for an earlier import is not what this one is put into.
  const draft = useServerQuery('version.design', { params: { id: version.id }, projectId }, asked)
  const language = useLanguage()
  const lookedAt = draft.state === 'ready' ? draft.value : null
  const consequences = useMemo(
    () =>
      file === null || lookedAt === null
        ? null
        : importConsequences(lookedAt, definitionInputOf(file.definition, folder), mode, language),
    [file, lookedAt, folder, mode, language],
  )

  // Whoever closes the dialog does not wait for the file.
  const under = useRef<DefinitionWork<ReadDefinition> | null>(null)
  useEffect(() => () => under.current?.stop(), [])

  const read = async (chosen: File | null) => {
    if (chosen === null) return
    setReading(true)
    setTrouble(null)
    setFile(null)
    under.current?.stop()
    under.current = readDefinitionFile(chosen)
    const read = await under.current.done
    setReading(false)
    if (read === null) return setTrouble({ kind: 'unreadable' })
    const { evidence, result } = read
    if (!result.ok) return setTrouble(result.error)
    return setFile({ name: chosen.name, evidence, definition: result.definition })
  }
  const send = async ({ name, evidence, definition }: ReadFile, { state: { rev } }: LookedAt) => {
    setBusy(true)
    const result = await act('version.import', {
      query: { crfId: version.id },
      body: {
        definition: definitionInputOf(definition, folder),
        sourceName: name,
        source: evidence,
        rev,
        mode: consequences === null ? 'replace' : mode,
      },
      projectId,
    })
    setBusy(false)
    setError(result.ok ? null : result.error)
    if (result.ok) setDone({ ...result.value, isBack: false })
    // Somebody has saved since: it is shown anew what becomes of the draft.
    else if (result.error.code === 'draft_changed') setAsked(String(performance.now()))
  }
  const takeBack = async ({ stateId, rev, ...counts }: Imported) => {
    setBusy(true)
    const result = await act('version.designRestore', {
      query: { crfId: version.id },
      body: { stateId, rev },
      projectId,
    })
    setBusy(false)
    if (result.ok) setDone({ ...counts, stateId, rev, isBack: true })
    else setError(result.error)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('crf.import.title')}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        {done !== null ? (
          <>
            <Note tone="done" live>
              {done.isBack ? t('crf.import.isBack') : t('crf.import.done', { pages: done.pages, fields: done.fields })}
            </Note>
            {error !== null && (
              <Note tone="error" live>
                {errorText(error)}
              </Note>
            )}
          </>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {t('crf.import.chooseHint')}
            </Text>
            <Group>
              <FileButton accept=".csv,.xlsx,.xls,.xml,.json" onChange={(chosen) => void read(chosen)}>
                {(props) => (
                  <Button
                    {...props}
                    size="md"
                    variant="default"
                    leftSection={<IconFileUpload size={18} aria-hidden="true" />}
                  >
                    {t('crf.import.choose')}
                  </Button>
                )}
              </FileButton>
              {reading && <Loader size={24} aria-label={t('crf.import.reading')} />}
              {file !== null && <Text>{file.name}</Text>}
            </Group>
            {trouble !== null && (
              <Note tone="error" live>
                <TroubleText trouble={trouble} />
              </Note>
            )}
            {file !== null && <ImportPreview definition={file.definition} />}
            {file?.definition.folders.length === 0 && (
              <TextInput
                size="md"
                label={t('crf.import.folder')}
                description={t('crf.import.folderHint')}
                maxLength={200}
                value={folder}
                onChange={(event) => setFolder(event.currentTarget.value)}
              />
            )}
            {file !== null && <ImportChoice mode={mode} onMode={setMode} consequences={consequences} />}
            {error !== null && (
              <Note tone="error" live>
                {error.code === 'draft_changed' ? t('crf.import.changedSince') : errorText(error)}
              </Note>
            )}
          </>
        )}
        <Group justify="flex-end" className={classes.actions}>
          <Button variant="default" size="md" onClick={onClose}>
            {done === null ? t('common:action.cancel') : t('common:action.close')}
          </Button>
          {done !== null && !done.isBack && (
            <Button size="md" variant="light" loading={busy} onClick={() => void takeBack(done)}>
              {t('crf.import.back')}
            </Button>
          )}
          {file !== null && done === null && (
            <Button
              size="md"
              loading={busy}
              disabled={
                lookedAt === null ||
                file.definition.pages.length === 0 ||
                (file.definition.folders.length === 0 && folder.trim() === '')
              }
              onClick={() => void (lookedAt === null ? null : send(file, lookedAt))}
            >
              {t('crf.import.submit')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

function TroubleText({ trouble }: { readonly trouble: Trouble }) {
  const { t } = useTranslation('admin')
  switch (trouble.kind) {
    case 'not-csv':
      return t('crf.import.failed.not-csv', { line: trouble.line })
    case 'missing-columns':
      return t('crf.import.failed.missing-columns', { columns: trouble.columns.join(', ') })
    case 'bad-encoding':
    case 'unknown-encoding':
      return t(`crf.import.failed.${trouble.kind}`, { line: trouble.line, byte: trouble.byte })
    case 'bad-text':
      return t('crf.import.failed.bad-text', { row: trouble.row })
    case 'not-xml':
      return t('crf.import.failed.not-xml', { line: trouble.line })
    case 'xml-entities':
      return t('crf.import.failed.xml-entities', { line: trouble.line })
    case 'odm-version':
      return t('crf.import.failed.odm-version', { version: trouble.version })
    case 'clinical-data-only':
      return t('crf.import.failed.clinical-data-only', { subjects: trouble.subjects })
    case 'openclinica-rules':
      return t('crf.import.failed.openclinica-rules', { rules: trouble.rules })
    case 'fhir':
      return t('crf.import.failed.fhir', { type: trouble.resourceType, count: trouble.expressions.length })
    case 'other-kind':
      return t('crf.import.failed.other-kind', { found: trouble.found })
    case 'missing-sheets':
      return t('crf.import.failed.missing-sheets', { sheets: trouble.sheets.join(', ') })
    case 'wrong-shape':
      return t('crf.import.failed.wrong-shape', { path: trouble.path })
    case 'newer-version':
      return t('crf.import.failed.newer-version', { version: trouble.version })
    case 'empty':
    case 'too-large':
    case 'unreadable':
    case 'no-metadata':
    case 'not-a-workbook':
    case 'encrypted':
    case 'old-workbook':
    case 'document-type':
    case 'unknown-format':
      return t(`crf.import.failed.${trouble.kind}`)
  }
}
