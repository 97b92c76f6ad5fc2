import express, { type Express } from 'express'

/** A server of files that nobody has told anything, below a path. */
export function fileServer(path: string, folder: string): Express {
  return express().use(path, express.static(folder))
}
