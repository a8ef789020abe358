import { Button, Checkbox } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableOneResult } from '#core/analysis/tabulated.ts'
import { layOut } from '#core/statistics/tableOne/layout.ts'
import type { TableLayout } from '#core/statistics/tableOne/layout.ts'
import { tableDocx } from '#core/statistics/tableOne/writeDocx.ts'
import { nameOf, tableCsv, tableHtml } from '#core/statistics/tableOne/writeTable.ts'
import { today } from '#src/data/shapes/today.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'

import classes from '../statistical.module.css'
import { useWording } from '../wording.ts'
import { FigureTableView } from './FigureTableView.tsx'

const PARTS = ['overall', 'p', 'smd', 'missing'] as const
type Part = (typeof PARTS)[number]

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The first table of a paper, to be looked at and taken away. */
export function TableOneView({ result }: { readonly result: TableOneResult }) {
  const { t } = useTranslation('statistical')
  const language = useLanguage()
  const { problemOf } = useWording()
  const [shown, setShown] = useState<readonly Part[]>(PARTS)
  if (!result.table.ok) return <Note tone="warning">{problemOf(result.table.error)}</Note>
  const isCompared = result.table.value.columns.length > 1
  const layout = layOut(result.table.value, {
    language,
    showOverall: shown.includes('overall'),
    showP: shown.includes('p'),
    showSmd: shown.includes('smd'),
    showMissing: shown.includes('missing'),
  })
  const offered = PARTS.filter((part) => isCompared || part === 'missing')
  return (
    <Panel title={t('tableOne.preview')}>
      <div className={classes.stack}>
        <div className={classes.tableOneActs} data-print="no">
          <Checkbox.Group
            label={t('tableOne.show')}
            value={[...shown]}
            onChange={(next) => setShown(PARTS.filter((part) => next.includes(part)))}
          >
            <div className={classes.checks}>
              {offered.map((part) => (
                <Checkbox key={part} size="md" className={classes.check} value={part} label={t(`tableOne.${part}`)} />
              ))}
            </div>
          </Checkbox.Group>
          <Files layout={layout} />
        </div>
        <FigureTableView
          table={{
            title: layout.title,
            head: layout.header,
            rows: layout.lines.map((line) => [nameOf(line), ...line.cells]),
          }}
        />
        {layout.note !== '' && <p className={classes.how}>{layout.note}</p>}
        <p className={classes.how}>{t('tableOne.method')}</p>
      </div>
    </Panel>
  )
}

function Files({ layout }: { readonly layout: TableLayout }) {
  const { t } = useTranslation('statistical')
  const save = (ending: string, content: BlobPart, type: string) =>
    downloadFile(`${layout.title}-${today()}.${ending}`, new Blob([content], { type }))
  const page = () => `<!doctype html>\n<meta charset="utf-8">\n<title>${layout.title}</title>\n${tableHtml(layout)}`
  const files = [
    { what: 'docx', make: () => save('docx', new Uint8Array(tableDocx(layout)), DOCX) },
    { what: 'html', make: () => save('html', page(), 'text/html;charset=utf-8') },
    { what: 'csv', make: () => save('csv', tableCsv(layout), 'text/csv;charset=utf-8') },
  ] as const
  return (
    <div className={classes.files}>
      {files.map(({ what, make }) => (
        <Button
          key={what}
          size="md"
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
          onClick={make}
        >
          {t(`tableOne.${what}`)}
        </Button>
      ))}
    </div>
  )
}
