/** The bots of a game, as people choose from them. */

import { say } from "./dom.js";

/** @typedef {{id: string, label: string, about: string, rating: string, interval: string, seats: number[]}} Bot */

/** What a bot is called in a list: with its rating, if it was measured. @param {Bot} bot */
export const entitle = ({ label, rating }) => (rating ? `${label} · ${rating}` : label);

/** Those who play where so many do. @param {Bot[]} bots @param {number} players */
export const fitting = (bots, players) => bots.filter(({ seats }) => seats.includes(players));

/** The rating with its interval, in words. @param {Bot | null | undefined} bot */
export const rate = (bot) => (bot?.rating ? say("rating", { rating: bot.rating, interval: bot.interval }) : "");
