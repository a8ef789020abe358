import { useTranslation } from 'react-i18next'
import type { SoundnessProblem } from '#core/api/errors.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Note } from '#src/ui/Note.tsx'

/** Why a draft cannot be published: the places and the problems, in words (specification §8). */
export function ProblemList({ problems }: { readonly problems: readonly SoundnessProblem[] }) {
  const { t } = useTranslation('admin')
  return (
    <Note tone="error" title={t('crf.problems.title')} live>
      <DataTable
        caption={t('crf.problems.title')}
        rows={problems}
        rowKey={({ target, output, content }) => `${target} ${output} ${content}`}
        columns={[
          { key: 'target', title: t('crf.problems.target'), cell: ({ target }) => target },
          { key: 'output', title: t('crf.problems.output'), cell: ({ output }) => output },
          { key: 'content', title: t('crf.problems.content'), cell: ({ content }) => content },
        ]}
      />
    </Note>
  )
}
