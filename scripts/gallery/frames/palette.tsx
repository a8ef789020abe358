import { IconHistory, IconTable, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import classes from '#src/frame/palette/palette.module.css'
import { PaletteFrame } from '#src/frame/palette/PaletteFrame.tsx'

import type { Frame } from '../frame.ts'

const choice = (name: string, note: string, icon = IconTable) => ({
  id: name,
  to: '/',
  name,
  note,
  icon,
  outside: false,
})

const SCREENS = {
  kind: 'screens' as const,
  choices: [
    choice('工作台', '录入'),
    choice('受试者', '录入'),
    choice('附件', ''),
    choice('数据质疑', '核查'),
    choice('访视安排', '录入'),
  ],
}
const RECENT = {
  kind: 'recent' as const,
  choices: [choice('01-003 · ZSF', '基线 · 生命体征', IconUser), choice('项目信息', '', IconHistory)],
}
const PATIENTS = {
  kind: 'patients' as const,
  choices: [
    choice('01-042 · ZSF', '云岭省中医医院 · 芎丹颗粒治疗稳定性心绞痛', IconUser),
    choice('01-142 · LQ', '云岭省中医医院 · 芎丹颗粒治疗稳定性心绞痛', IconUser),
    choice(
      '筛选号 S-2026-000042 · WXYZ',
      '云岭省第一人民医院（南院区）国家中医临床研究基地 · 芎丹颗粒治疗稳定性心绞痛（心血瘀阻证）的随机、双盲、多中心临床研究',
      IconUser,
    ),
  ],
}

function Search({ starts, isFresh = true }: { readonly starts: string; readonly isFresh?: boolean }) {
  const [text, setText] = useState(starts)
  const wanted = text.trim()
  const groups = (wanted === '' ? [RECENT, SCREENS] : [PATIENTS, SCREENS]).map(({ kind, choices }) => ({
    kind,
    choices: choices.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase())),
  }))
  return (
    <div className={classes.content} style={{ maxWidth: 640 }}>
      <PaletteFrame
        groups={groups.filter(({ choices }) => choices.length > 0)}
        isFresh={isFresh}
        text={text}
        onText={setText}
        onChoose={({ name }) => setText(name)}
        onClose={() => setText('')}
      />
    </div>
  )
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'palette/PaletteFrame',
  states: {
    'before anything is typed': () => <Search starts="" />,
    'subjects of two digits': () => <Search starts="42" />,
    'nothing found': () => <Search starts="99" />,
    'still looking': () => <Search starts="99" isFresh={false} />,
  },
}
