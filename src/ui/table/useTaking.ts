import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadFile } from '#src/ui/downloadFile.ts'

import type { TableColumn } from './contract.ts'
import { csvOf, sheetText } from './tableText.ts'

/** How long it is said that something was copied, in ms. */
const SAID_MS = 3000

interface Taking<Row, Fact> {
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly facts: ReadonlyMap<string, Fact>
  readonly readFacts: ((rows: readonly Row[]) => Promise<ReadonlyMap<string, Fact>>) | undefined
  readonly file: string | null
}

/** Takes rows away as they are shown: into the clipboard, or into a CSV file. `said` tells that it was done. */
export function useTaking<Row, Fact>({ columns, rows, rowKey, facts, readFacts, file }: Taking<Row, Fact>) {
  const { t } = useTranslation('table')
  // How many rows were copied, not the words for it: these follow the language.
  const [told, setTold] = useState<number | 'notCopied' | null>(null)
  const tell = (what: number | 'notCopied') => {
    setTold(what)
    setTimeout(() => setTold((now) => (now === what ? null : now)), SAID_MS)
  }
  const said = told === 'notCopied' ? t('take.notCopied') : told === null ? null : t('take.copied', { count: told })
  const readAll = async () => ({
    columns,
    rows,
    rowKey,
    facts: readFacts === undefined ? facts : await readFacts(rows),
  })
  return {
    said,
    /** The rows from one up to and with another, at once: with what is read of them by now. */
    sheetOf: (from: number, to: number) => {
      const taken = rows.slice(from, to + 1)
      tell(taken.length)
      return sheetText({ columns, rows: taken, facts, rowKey })
    },
    copyAll: async () => {
      try {
        await navigator.clipboard.writeText(sheetText(await readAll()))
        tell(rows.length)
      } catch (error) {
        // A browser may forbid it.
        if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error
        tell('notCopied')
      }
    },
    saveFile: async () => {
      if (file === null) return
      downloadFile(`${file}.csv`, new Blob([csvOf(await readAll())], { type: 'text/csv;charset=utf-8' }))
    },
  }
}
