import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { PaletteFrame } from './PaletteFrame.tsx'
import { useChoices } from './useChoices.ts'
import type { Choice } from './useChoices.ts'

interface PaletteSearchProps {
  readonly onClose: () => void
  readonly onChosen: () => void
}

/** The search among the subjects and screens of the user, each of which it opens. */
export function PaletteSearch({ onClose, onChosen }: PaletteSearchProps) {
  const [text, setText] = useState('')
  const go = useGo(onChosen)
  return <PaletteFrame {...useChoices(text.trim())} text={text} onText={setText} onChoose={go} onClose={onClose} />
}

function useGo(onChosen: () => void): (choice: Choice) => void {
  const navigate = useNavigate()
  return ({ to, outside }) => {
    onChosen()
    if (outside) window.open(to, '_blank', 'noopener,noreferrer')
    else void navigate(to)
  }
}
