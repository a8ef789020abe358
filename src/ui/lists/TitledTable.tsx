import { Title } from '@mantine/core'

import { DataTable } from './DataTable.tsx'
import type { DataTableProps } from './DataTable.tsx'

/** A table whose caption is also read by those who see, for where several stand below each other. */
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
