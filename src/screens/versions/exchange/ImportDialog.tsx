import { Button, Stack } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { Fates } from '#core/design/consequences.ts'
import { isNone } from '#core/design/consequences.ts'
import type { StudyDefinition } from '#core/exchange/definition.ts'
import type { ImportMode } from '#core/wire/importModes.ts'
import { useServerQuery } from '#src/data/server.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { ImportChoice } from './ImportChoice.tsx'
import { ImportFile } from './ImportFile.tsx'
import type { ImportFate } from './importGroups.ts'
import { groupImport } from './importGroups.ts'
import { definitionInputOf } from './importInput.ts'
import type { LookedAt } from './importPlan.ts'
import { importConsequences } from './importPlan.ts'
import classes from './import.module.css'
import type { ReadFile } from './useDefinitionFile.ts'
import { useDefinitionFile } from './useDefinitionFile.ts'
import type { Imported } from './useImport.ts'
import { useImport } from './useImport.ts'

interface ImportDialogProps {
  readonly projectId: string
  readonly version: VersionSummary
  readonly onClose: () => void
}

/**
 * Reads a study definition on this device, shows the result and what could not be carried over, and then puts it into
 * the draft.
 */
export function ImportDialog({ projectId, version, onClose }: ImportDialogProps) {
  const { t } = useTranslation(['admin', 'common'])
  const errorText = useErrorText()
  const language = useLanguage()
  const chosen = useDefinitionFile()
  const [folder, setFolder] = useState<string>(t('crf.import.folderDefault'))
  const [mode, setMode] = useState<ImportMode>('add')
  const { lookedAt, lookAgain } = useLookedAt(projectId, version.id)
  const { busy, error, done, send, takeBack } = useImport({
    projectId,
    versionId: version.id,
    onDraftChanged: lookAgain,
  })
  const { file } = chosen
  const consequences = useMemo(
    () =>
      file === null || lookedAt === null
        ? null
        : importConsequences(lookedAt, definitionInputOf(file.definition, folder), mode, language),
    [file, lookedAt, folder, mode, language],
  )
  const submit = ({ name, evidence, definition }: ReadFile, { state: { rev } }: LookedAt) =>
    send({
      definition: definitionInputOf(definition, folder),
      sourceName: name,
      source: evidence,
      rev,
      mode: consequences === null ? 'replace' : mode,
    })
  return (
    <Sheet isTall onClose={onClose} size="xl" title={t('crf.import.title')}>
      <Stack>
        {done === null ? (
          <>
            <ImportFile chosen={chosen} folder={folder} onFolder={setFolder} />
            {file !== null && <ImportChoice mode={mode} onMode={setMode} consequences={consequences} />}
            {error !== null && (
              <Note tone="error" live>
                {error.code === 'draft_changed' ? t('crf.import.changedSince') : errorText(error)}
              </Note>
            )}
          </>
        ) : (
          <ImportOutcome imported={done} error={error} />
        )}
        <SheetFoot>
          {file !== null && done === null && (
            <NextStep definition={file.definition} gone={consequences?.gone ?? null} />
          )}
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
              disabled={lookedAt === null || !isImportable(file.definition, folder)}
              onClick={() => void (lookedAt === null ? null : submit(file, lookedAt))}
            >
              {t('crf.import.submit')}
            </Button>
          )}
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}

/** The draft that the import goes into, read anew: what an earlier import has read must not be used. */
function useLookedAt(
  projectId: string,
  versionId: string,
): { readonly lookedAt: LookedAt | null; readonly lookAgain: () => void } {
  const [asked, setAsked] = useState(() => String(performance.now()))
  const draft = useServerQuery('version.design', { params: { id: versionId }, projectId }, asked)
  return {
    lookedAt: draft.state === 'ready' ? draft.value : null,
    lookAgain: () => setAsked(String(performance.now())),
  }
}

/** Whether there is something to import, and the name of a folder where the file has no visits. */
function isImportable({ pages, folders }: StudyDefinition, folder: string): boolean {
  return pages.length > 0 && (folders.length > 0 || folder.trim() !== '')
}

interface NextStepProps {
  readonly definition: StudyDefinition
  /** What the draft loses; null where it has nothing to lose. */
  readonly gone: Fates | null
}

/** What the import costs and what is to be done after it, beside the button that does it. */
function NextStep({ definition: { notCarried }, gone }: NextStepProps) {
  const { t } = useTranslation('admin')
  const groups = groupImport(notCarried)
  const count = (fate: ImportFate) => groups.find((group) => group.fate === fate)?.parts.length ?? 0
  const [open, lost] = [count('open'), count('lost')]
  const removes = gone !== null && !isNone(gone)
  return (
    <p className={classes.next}>
      {[
        ...(removes ? [t('crf.import.next.gone', { pages: gone.pages.length, fields: gone.fields.length })] : []),
        ...(lost > 0 ? [t('crf.import.next.lost', { count: lost })] : []),
        ...(open > 0 ? [t('crf.import.next.open', { count: open })] : []),
        ...(lost + open === 0 && !removes ? [t('crf.import.next.fine')] : []),
      ].join(' ')}
    </p>
  )
}

interface ImportOutcomeProps {
  readonly imported: Imported
  /** Why the import could not be undone. */
  readonly error: ApiError | null
}

function ImportOutcome({ imported: { pages, fields, isBack }, error }: ImportOutcomeProps) {
  const { t } = useTranslation('admin')
  const errorText = useErrorText()
  return (
    <>
      <Note tone="done" live>
        {isBack ? t('crf.import.isBack') : t('crf.import.done', { pages, fields })}
      </Note>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
    </>
  )
}
