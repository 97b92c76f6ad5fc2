/** One word for one, another for more: `counted(2, 'reply', 'replies')` is "2 replies". */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`
}
