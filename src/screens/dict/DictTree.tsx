import { TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { DictRow } from '#core/api/calls/projectDict.ts'

import classes from './dict.module.css'
import type { TreeNode } from './dictTree.ts'
import { findDictionaries, moveOf, shownNodes } from './dictTree.ts'
import { useEntryName } from './entryWords.ts'

interface DictTreeProps {
  readonly dictionaries: readonly DictRow[]
  /** The chosen dictionary, and its entries as far as they are known. */
  readonly rootId: string | null
  readonly entries: readonly DictRow[]
  /** The node whose entries are shown beside the tree. */
  readonly chosenId: string | null
  readonly onChoose: (row: DictRow) => void
}

/** With more dictionaries than this, a search is offered. */
const SEARCH_FROM = 8

/** The dictionaries and their branches. Arrow keys move through the tree, Enter chooses. */
export function DictTree({ dictionaries, rootId, entries, chosenId, onChoose }: DictTreeProps) {
  const { t } = useTranslation('dict')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const found = findDictionaries(dictionaries, search)
  const nodes = shownNodes(found, rootId, entries, closed)
  // The Tab key stops at one node: the one that had the focus last, or else the chosen one.
  const stop = [focused, chosenId].find((id) => nodes.some(({ row }) => row.id === id)) ?? nodes[0]?.row.id
  const setOpen = (id: string, open: boolean) =>
    setClosed((before) => (open ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])))
  const handleKey = (event: KeyboardEvent) => {
    if (stop === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const move = moveOf(nodes, stop, event.key)
    if (move === null) return
    event.preventDefault()
    const row = nodes.find((node) => node.row.id === move.id)?.row
    switch (move.kind) {
      case 'focus':
        setFocused(move.id)
        return list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(move.id)}"]`)?.focus()
      case 'open':
      case 'close':
        return setOpen(move.id, move.kind === 'open')
      case 'choose':
        return row === undefined ? undefined : onChoose(row)
    }
  }
  return (
    <nav className={classes.side} aria-label={t('tree')}>
      {dictionaries.length > SEARCH_FROM && (
        <TextInput
          size="md"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('search')}
          aria-label={t('search')}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
        />
      )}
      {nodes.length === 0 ? (
        <p className={classes.hint}>{t('noMatch')}</p>
      ) : (
        <ul ref={list} role="tree" aria-label={t('tree')} className={classes.tree}>
          {nodes.map((node) => (
            <TreeItem
              key={node.row.id}
              node={node}
              isChosen={node.row.id === chosenId}
              isStop={node.row.id === stop}
              onFocus={() => setFocused(node.row.id)}
              onKeyDown={handleKey}
              onChoose={() => onChoose(node.row)}
              onTwist={() => setOpen(node.row.id, !node.isOpen)}
            />
          ))}
        </ul>
      )}
    </nav>
  )
}

interface TreeItemProps {
  readonly node: TreeNode
  readonly isChosen: boolean
  /** Whether the Tab key stops here. */
  readonly isStop: boolean
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onChoose: () => void
  /** Opens or closes the branch. */
  readonly onTwist: () => void
}

function TreeItem({ node, isChosen, isStop, onFocus, onKeyDown, onChoose, onTwist }: TreeItemProps) {
  const nameOf = useEntryName()
  const { row, level, isOpen, hasBranches } = node
  return (
    <li
      role="treeitem"
      data-id={row.id}
      aria-level={level}
      aria-selected={isChosen}
      {...(hasBranches ? { 'aria-expanded': isOpen } : {})}
      tabIndex={isStop ? 0 : -1}
      className={classes.node}
      style={{ paddingInlineStart: 8 + (level - 1) * 20 }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onChoose}
    >
      <span
        className={classes.twist}
        aria-hidden="true"
        onClick={(event) => {
          if (!hasBranches) return
          event.stopPropagation()
          onTwist()
        }}
      >
        {hasBranches && (isOpen ? <IconChevronDown size={18} /> : <IconChevronRight size={18} />)}
      </span>
      <span className={classes.name}>{nameOf(row)}</span>
      <span className={classes.code}>{level === 1 ? row.code : row.dictKey}</span>
    </li>
  )
}
