import { Title } from '@mantine/core'

import { DataTable } from './DataTable.tsx'
import type { DataTableProps } from './DataTable.tsx'

/** A table whose caption is also visible, for several tables below each other. */
export function TitledTable<Row>(props: DataTableProps<Row>) {
  return (
    <div>
      {/* Screen readers get the caption from the table. */}
      <Title order={4} size="md" mb={6} aria-hidden="true">
        {props.caption}
      </Title>
      <DataTable {...props} />
    </div>
  )
}
