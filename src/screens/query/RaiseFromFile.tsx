import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useVersion } from '#src/data/hooks/projects.ts'
import { useQueryPlaces } from '#src/form/queries/queryPlaces.ts'
import { ChooseFile } from '#src/ui/ChooseFile.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { FileLines } from './FileLines.tsx'
import { fileOf } from './readQueryFile.ts'
import { useQueryFile } from './useQueryFile.ts'
import type { CheckedLine, Chosen } from './useQueryFile.ts'

interface RaiseFromFileProps {
  readonly projectId: string
  readonly onRaised: () => void
  readonly onClose: () => void
}

/** Asks the questions of a file: each line is shown where it belongs before anything is asked. */
export function RaiseFromFile({ projectId, onRaised, onClose }: RaiseFromFileProps) {
  const { t } = useTranslation(['query', 'common'])
  const language = useLanguage()
  const errorText = useErrorText()
  const version = useVersion(projectId)
  const places = useQueryPlaces(version.state === 'ready' ? version.value : null)
  const file = useQueryFile(projectId, onRaised)
  const { chosen, ticked, raised, failed, progress } = file
  const lines = chosen.state === 'ready' ? chosen.file.lines : NO_LINES
  const left = lines.filter(({ found }) => !('place' in found) || !raised.has(found.id))
  const reasonOf = ({ found }: CheckedLine): string => {
    if (!('place' in found))
      return t(`file.problem.${found.problem}`, { yes: t('file.says.yes'), no: t('file.says.no') })
    const error = failed.get(found.id)
    if (error !== undefined) return errorText(error)
    if (found.sameNo !== null) return t('file.same', { no: found.sameNo })
    return found.isTwin ? t('file.twin') : ''
  }
  return (
    <Sheet title={t('file.title')} size="min(96vw, 75rem)" isTall closesOnTapBeside={false} onClose={onClose}>
      <Stack>
        <Text>{t('file.intro')}</Text>
        <Group>
          {progress === null && (
            <ChooseFile
              accept=".csv,text/csv"
              label={t('file.choose')}
              reading={chosen.state === 'reading' ? t('file.reading') : null}
              name={chosen.state === 'ready' ? chosen.file.name : null}
              onChoose={(one) => one !== null && void file.choose(one)}
            />
          )}
          <Button size="md" variant="default" onClick={() => save(t('file.templateName'), fileOf(language, []))}>
            {t('file.template')}
          </Button>
        </Group>
        <Refusal chosen={chosen} />
        {lines.length > 0 && (
          <FileLines
            lines={lines}
            ticked={ticked}
            raised={raised}
            isBusy={progress !== null}
            places={places}
            reasonOf={reasonOf}
            onTick={file.tick}
          />
        )}
        {failed.size > 0 && (
          <Note tone="error" live>
            {t('file.failed', { count: failed.size })}
          </Note>
        )}
        <output aria-live="polite">
          {progress !== null && t('file.progress', { at: progress.done + 1, all: progress.all })}
        </output>
        <Foot file={file} left={lines.length === 0 ? NO_LINES : left} reasonOf={reasonOf} onClose={onClose} />
      </Stack>
    </Sheet>
  )
}

const NO_LINES: readonly CheckedLine[] = []

function save(name: string, text: string): void {
  downloadFile(`${name}.csv`, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}

interface FootProps {
  readonly file: ReturnType<typeof useQueryFile>
  /** Lines that were not asked. */
  readonly left: readonly CheckedLine[]
  readonly reasonOf: (line: CheckedLine) => string
  readonly onClose: () => void
}

/** Asks what is ticked, and saves what was not asked with the reasons. */
function Foot({ file: { ticked, progress, raise }, left, reasonOf, onClose }: FootProps) {
  const { t } = useTranslation(['query', 'common'])
  const language = useLanguage()
  const saveLeft = () => {
    const reasons = { title: t('file.reason'), cells: left.map(reasonOf) }
    const cells = left.map(({ line }) => line.cells)
    save(t('file.faultyName'), fileOf(language, cells, reasons))
  }
  return (
    <SheetFoot>
      {left.length > 0 && progress === null && (
        <Button size="md" variant="default" onClick={saveLeft}>
          {t('file.saveFaulty')}
        </Button>
      )}
      <Button size="md" variant="default" onClick={onClose}>
        {t('common:action.close')}
      </Button>
      {(ticked.size > 0 || progress !== null) && (
        <Button size="md" loading={progress !== null} onClick={() => void raise()}>
          {t('file.submit', { count: ticked.size })}
        </Button>
      )}
    </SheetFoot>
  )
}

/** Why nothing of a file can be asked. */
function Refusal({ chosen }: { readonly chosen: Chosen }) {
  const { t } = useTranslation('query')
  const errorText = useErrorText()
  if (chosen.state !== 'refused' && chosen.state !== 'failed') return null
  return (
    <Note tone="error" live title={chosen.name}>
      {chosen.state === 'failed'
        ? errorText(chosen.error)
        : chosen.problem.kind === 'columns'
          ? t('file.refused.columns', {
              columns: chosen.problem.missing.map((column) => t(`file.columns.${column}`)).join(' · '),
            })
          : chosen.problem.kind === 'not-csv'
            ? t('file.refused.not-csv', { line: chosen.problem.line })
            : t(`file.refused.${chosen.problem.kind}`)}
    </Note>
  )
}
