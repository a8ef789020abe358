import { Title } from '@mantine/core'

import { DataTable } from './DataTable.tsx'
import type { DataTableProps } from './DataTable.tsx'

/** A table whose caption is also visible, for several tables below each other. */
export function TitledTable<Row>(props: DataTableProps<Row>) {
  return (
    <div>
      {/* The table says it to those who listen. */}
      <Title order={4} size="md" mb={6} aria-hidden="true">
        {props.caption}
      </Title>
      <DataTable {...props} />
    </div>
  )
}
