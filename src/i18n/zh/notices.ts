/** The notices of the user, those that were read too. */
export const notices = {
  title: '我的通知',
  intro: '通知您的事项。已办结的会自动结束，无须再处理。',
  which: '按状态查看',
  unread: '未读',
  all: '全部',
  state: { unread: '未读', read: '已读', ended: '已结束' },
  read: '标为已读',
  readOf: '标为已读：{{title}}',
  readAll: '本页全部标为已读',
  empty: {
    unread: { title: '没有未读通知', text: '有新的分配或待审核的版本时，会显示在这里。' },
    all: { title: '还没有通知', text: '有新的分配或待审核的版本时，会显示在这里。' },
  },
} as const
