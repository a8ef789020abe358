import { useState } from 'react'
import { FactList } from '#src/ui/FactList.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'
import { TitledTable } from '#src/ui/lists/TitledTable.tsx'

import type { Frame } from '../frame.ts'

const TABLE = {
  caption: '医院',
  columns: [
    { key: 'name', title: '名称', cell: ({ name }: { readonly name: string }) => name },
    { key: 'size', title: '人数', align: 'right' as const, cell: ({ size }: { readonly size: number }) => size },
  ],
  rows: [
    { name: '云岭省中医医院', size: 60 },
    { name: '北院', size: 8 },
  ],
  rowKey: ({ name }: { readonly name: string }) => name,
}

function Turning() {
  const [current, setCurrent] = useState(3)
  return <Pages pages={12} total={236} current={current} onChange={setCurrent} />
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'lists, FactList',
  states: {
    'a few rows': () => <DataTable {...TABLE} />,
    'under its title': () => <TitledTable {...TABLE} />,
    pages: () => <Turning />,
    facts: () => (
      <FactList
        facts={[
          ['编号', '01-003'],
          ['姓名缩写', 'ZSF'],
        ]}
      />
    ),
  },
}
