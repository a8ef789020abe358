import { useTranslation } from 'react-i18next'
import { useServerQuery } from '#src/data/server.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

import { PatientPart } from '../PatientPart.tsx'
import { Comparison } from './Comparison.tsx'
import classes from './diff.module.css'

/**
 * The differences between the two passes of a patient, for the person who decides them. Works online only: just the
 * server has both passes.
 */
export function DiffScreen() {
  const { t } = useTranslation('diff')
  return (
    <PatientPart title={t('title')} right="double_merge" className={classes.frame}>
      {(book) => <Check book={book} />}
    </PatientPart>
  )
}

function Check({ book }: { readonly book: Casebook }) {
  const check = useServerQuery('double.gapCheck', { params: { id: book.patient.id }, projectId: book.project.id })
  return (
    <Loaded of={check} rows={8}>
      {(found) => <Comparison key={found.compared} book={book} check={found} />}
    </Loaded>
  )
}
