/* Strategies in Lua, as a strategy in C (heddle/strategy.h) whose path is a script.
 *
 * The script returns a table: `claims`, a text, and functions named as in the header.  Numbers
 * of alternatives and steps begin at 1, as all in Lua.  A script has no way to the outside: io,
 * os, package, debug and what loads code are not there.  Memory and the instructions of a call
 * are limited. */
#include "heddle/strategy.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (256u << 20)
#define MOST_INSTRUCTIONS 100000000 /* of one call */
#define EVERY 100000                /* instructions between two looks */

enum { CHOOSE, SCORE, PRUNE, RAN, BACK, ENDED, STOP, RANK, JUDGE, N_FUNCTIONS };

static const char *const names[N_FUNCTIONS] = { "choose", "score", "prune", "ran",  "back",
                                                "ended",  "stop",  "rank",  "judge" };

/* One strategy in one process. */
static struct script {
    lua_State *lua;
    size_t bytes;
    uint64_t instructions;
    int functions[N_FUNCTIONS]; /* in the registry; LUA_NOREF: it has none */
    int view_table;
    const struct heddle_view *view;
    char objection[300];
    struct heddle_strategy strategy;
} script;

static void *allocate(void *self, void *block, size_t had, size_t wanted)
{
    struct script *s = self;
    size_t before = block ? had : 0;
    if (wanted > before && s->bytes - before + wanted > MOST_BYTES)
        return NULL;
    if (wanted == 0) {
        free(block);
        s->bytes -= before;
        return NULL;
    }
    void *at = realloc(block, wanted);
    if (at)
        s->bytes += wanted - before;
    return at;
}

/* Once there are too many, every instruction fails, so that no pcall() can go on. */
static void count(lua_State *lua, lua_Debug *unused)
{
    (void)unused;
    script.instructions += EVERY;
    if (script.instructions <= MOST_INSTRUCTIONS)
        return;
    lua_sethook(lua, count, LUA_MASKCOUNT, 1);
    luaL_where(lua, 0);
    lua_pushfstring(lua, "more than %d instructions in one call: an endless loop?",
                    MOST_INSTRUCTIONS);
    lua_concat(lua, 2);
    lua_error(lua);
}

static void limit(lua_State *lua)
{
    script.instructions = 0;
    lua_sethook(lua, count, LUA_MASKCOUNT, EVERY);
}

/* ---- what a script sees ---- */

static void set_text(lua_State *lua, const char *name, const char *text)
{
    lua_pushstring(lua, text ? text : "");
    lua_setfield(lua, -2, name);
}

static void set_number(lua_State *lua, const char *name, uint64_t number)
{
    lua_pushinteger(lua, (lua_Integer)number);
    lua_setfield(lua, -2, name);
}

static void set_flag(lua_State *lua, const char *name, bool flag)
{
    lua_pushboolean(lua, flag);
    lua_setfield(lua, -2, name);
}

static int push_action(lua_State *lua, const struct heddle_action *a)
{
    static const char *const kinds[] = { "nothing", "memory", "sync", "thread" };
    lua_createtable(lua, 0, 16);
    set_number(lua, "thread", a->thread);
    set_number(lua, "choice", a->choice);
    set_text(lua, "operation", a->operation);
    set_text(lua, "kind", kinds[a->kind & 3]);
    set_flag(lua, "writes", a->writes);
    set_flag(lua, "enabled", a->enabled);
    set_flag(lua, "shared", a->shared);
    set_number(lua, "object", a->object);
    set_number(lua, "object2", a->object2);
    set_number(lua, "size", a->size);
    set_number(lua, "site", a->site);
    set_text(lua, "file", a->file);
    set_text(lua, "function", a->function);
    set_text(lua, "variable", a->variable);
    set_number(lua, "line", a->line);
    set_number(lua, "column", a->column);
    return 1;
}

/* Argument n, a number of steps or threads: ~0u if it cannot be one. */
static uint32_t number_of(lua_State *lua, int n, lua_Integer least)
{
    lua_Integer number = luaL_checkinteger(lua, n);
    return number < least || number > UINT32_MAX ? ~0u : (uint32_t)(number - least);
}

static int see_next(lua_State *lua)
{
    struct heddle_action action;
    return script.view->next(script.view, number_of(lua, 1, 0), &action)
               ? push_action(lua, &action)
               : 0;
}

static int see_step(lua_State *lua)
{
    struct heddle_action action;
    return script.view->step(script.view, number_of(lua, 1, 1), &action)
               ? push_action(lua, &action)
               : 0;
}

static int see_before(lua_State *lua)
{
    lua_pushboolean(lua,
                    script.view->before(script.view, number_of(lua, 1, 1), number_of(lua, 2, 1)));
    return 1;
}

static uint64_t field(lua_State *lua, int table, const char *name)
{
    lua_getfield(lua, table, name);
    uint64_t number = (uint64_t)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    return number;
}

/* The operation's text stays on the stack, so that it lives. */
static struct heddle_action pull_action(lua_State *lua, int n)
{
    luaL_checktype(lua, n, LUA_TTABLE);
    struct heddle_action a = { .thread = (uint32_t)field(lua, n, "thread"),
                               .object = field(lua, n, "object"),
                               .object2 = field(lua, n, "object2"),
                               .size = (uint32_t)field(lua, n, "size") };
    lua_getfield(lua, n, "operation");
    a.operation = lua_tostring(lua, -1);
    return a;
}

static int see_dependent(lua_State *lua)
{
    struct heddle_action a = pull_action(lua, 1), b = pull_action(lua, 2);
    lua_pushboolean(lua, script.view->dependent(script.view, &a, &b));
    return 1;
}

static int see_held(lua_State *lua)
{
    lua_pushinteger(lua, script.view->held(script.view, number_of(lua, 1, 0)));
    return 1;
}

/* As math.random(n): from 1 to n. */
static int see_random(lua_State *lua)
{
    lua_Integer n = luaL_checkinteger(lua, 1);
    luaL_argcheck(lua, n > 0, 1, "it must be positive");
    lua_pushinteger(lua, 1 + (lua_Integer)script.view->random(script.view, (uint64_t)n));
    return 1;
}

static int see_open(lua_State *lua)
{
    lua_pushboolean(lua,
                    script.view->open(script.view, number_of(lua, 1, 1), number_of(lua, 2, 0)));
    return 1;
}

static const luaL_Reg questions[] = { { "next", see_next },     { "step", see_step },
                                      { "before", see_before }, { "dependent", see_dependent },
                                      { "held", see_held },     { "random", see_random },
                                      { "open", see_open },     { NULL, NULL } };

/* Push the view, with what has changed. */
static void push_view(lua_State *lua, const struct heddle_view *view)
{
    script.view = view;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, script.view_table);
    set_number(lua, "execution", view->execution);
    set_number(lua, "depth", view->depth);
    set_number(lua, "n_threads", view->n_threads);
    set_number(lua, "last", view->last);
    lua_createtable(lua, (int)view->n_alternatives, 0);
    for (uint32_t i = 0; i < view->n_alternatives; i++) {
        lua_createtable(lua, 0, 2);
        set_number(lua, "thread", view->alternatives[i].thread);
        set_number(lua, "choice", view->alternatives[i].choice);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_setfield(lua, -2, "alternatives");
}

/* ---- what heddle calls ---- */

/* Errors are "mine.lua:12: what"; luaL_loadfile() calls the script by its whole path. */
static const char *error_text(lua_State *lua)
{
    const char *text = lua_tostring(lua, -1);
    return text ? text : "an error that is no text";
}

/* What a call is about, besides the view. */
struct call {
    int function;
    lua_Integer number; /* -1: none */
    const char *text;   /* NULL: none */
    lua_Integer integer;
    double score;
    bool flag;
};

static int call_inside(lua_State *lua)
{
    struct call *c = lua_touserdata(lua, 1);
    int given = 1;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, script.functions[c->function]);
    push_view(lua, script.view);
    if (c->number >= 0) {
        lua_pushinteger(lua, c->number);
        given++;
    }
    if (c->text) {
        lua_pushstring(lua, c->text);
        given++;
    }
    lua_call(lua, given, 1);
    c->flag = lua_toboolean(lua, -1);
    if (c->function == CHOOSE) {
        int is = 0;
        c->integer = lua_tointegerx(lua, -1, &is);
        if (!is || c->integer < 1 || c->integer > (lua_Integer)script.view->n_alternatives)
            return luaL_error(lua, "choose returned %s; it must be a whole number from 1 to %d",
                              luaL_tolstring(lua, -1, NULL), (int)script.view->n_alternatives);
    }
    if (c->function == JUDGE && c->flag) {
        if (lua_type(lua, -1) != LUA_TSTRING)
            return luaL_error(lua, "judge returned %s; it must be a text, or nil",
                              luaL_tolstring(lua, -1, NULL));
        snprintf(script.objection, sizeof script.objection, "%s", lua_tostring(lua, -1));
    }
    if (c->function == SCORE || c->function == RANK) {
        int is = 0;
        c->score = lua_tonumberx(lua, -1, &is);
        if (!is)
            return luaL_error(lua, "%s returned %s; it must be a number", names[c->function],
                              luaL_tolstring(lua, -1, NULL));
    }
    return 0;
}

static void call(struct call *c, const struct heddle_view *view)
{
    lua_State *lua = script.lua;
    script.view = view;
    limit(lua);
    lua_pushcfunction(lua, call_inside);
    lua_pushlightuserdata(lua, c);
    if (lua_pcall(lua, 1, 0, 0) != LUA_OK)
        view->fail(view, error_text(lua));
    lua_settop(lua, 0);
}

static uint32_t choose(void *self, const struct heddle_view *view)
{
    struct call c = { .function = CHOOSE, .number = -1, .integer = 1 };
    (void)self;
    call(&c, view);
    return (uint32_t)(c.integer - 1);
}

static double score(void *self, const struct heddle_view *view, uint32_t alternative)
{
    struct call c = { .function = SCORE, .number = (lua_Integer)alternative + 1 };
    (void)self;
    call(&c, view);
    return c.score;
}

static bool prune(void *self, const struct heddle_view *view, uint32_t alternative)
{
    struct call c = { .function = PRUNE, .number = (lua_Integer)alternative + 1 };
    (void)self;
    call(&c, view);
    return c.flag;
}

static void ran(void *self, const struct heddle_view *view, uint32_t number)
{
    struct call c = { .function = RAN, .number = (lua_Integer)number + 1 };
    (void)self;
    call(&c, view);
}

static void back(void *self, const struct heddle_view *view, uint32_t number)
{
    struct call c = { .function = BACK, .number = (lua_Integer)number + 1 };
    (void)self;
    call(&c, view);
}

static void ended(void *self, const struct heddle_view *view, uint32_t how)
{
    static const char *const words[] = { "ended", "violation", "cut" };
    struct call c = { .function = ENDED, .number = -1, .text = words[how < 3 ? how : 2] };
    (void)self;
    call(&c, view);
}

static bool stop(void *self, const struct heddle_view *view)
{
    struct call c = { .function = STOP, .number = -1 };
    (void)self;
    call(&c, view);
    return c.flag;
}

static double rank(void *self, const struct heddle_view *view)
{
    struct call c = { .function = RANK, .number = -1 };
    (void)self;
    call(&c, view);
    return c.score;
}

/* After n steps: the last of them is step n, as a script counts. */
static const char *judge(void *self, const struct heddle_view *view, uint32_t n)
{
    struct call c = { .function = JUDGE, .number = (lua_Integer)n };
    (void)self;
    call(&c, view);
    return c.flag ? script.objection : NULL;
}

/* ---- the beginning ---- */

static uint32_t read_claims(lua_State *lua)
{
    static const struct {
        const char *word;
        uint32_t claim;
    } words[] = { { "orders", HEDDLE_ORDERS },   { "prunes", HEDDLE_PRUNES },
                  { "samples", HEDDLE_SAMPLES }, { "ranks", HEDDLE_RANKS },
                  { "checks", HEDDLE_CHECKS },   { "traces", HEDDLE_TRACES } };
    const size_t n_words = sizeof words / sizeof *words;
    uint32_t claims = 0;
    lua_getfield(lua, -1, "claims");
    if (!lua_isnil(lua, -1) && !lua_isstring(lua, -1))
        luaL_error(lua, "claims is a text, as \"orders, prunes\"");
    const char *text = luaL_optstring(lua, -1, "");
    while (*text) {
        size_t n = strcspn(text, ", "), i = 0;
        while (i < n_words &&
               !(strlen(words[i].word) == n && strncmp(words[i].word, text, n) == 0))
            i++;
        if (i == n_words && n)
            luaL_error(lua, "claims: there are orders, prunes, samples, ranks, checks, traces");
        claims |= i < n_words ? words[i].claim : 0;
        text += n + strspn(text + n, ", ");
    }
    lua_pop(lua, 1);
    return claims;
}

/* Every entry of the table is known: a misspelt function would never be called. */
static void read_functions(lua_State *lua)
{
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        int i = 0;
        if (strcmp(name, "claims") == 0)
            continue;
        while (i < N_FUNCTIONS && strcmp(name, names[i]) != 0)
            i++;
        if (i == N_FUNCTIONS)
            luaL_error(lua,
                       "nothing is called %s; there are claims, and the functions choose, score, "
                       "prune, ran, back, ended, stop, rank, judge",
                       name);
        luaL_checktype(lua, -1, LUA_TFUNCTION);
        lua_pushvalue(lua, -1);
        script.functions[i] = luaL_ref(lua, LUA_REGISTRYINDEX);
    }
}

/* What a script may use of the libraries. */
static void open_libraries(lua_State *lua)
{
    static const luaL_Reg libraries[] = { { LUA_GNAME, luaopen_base },
                                          { LUA_TABLIBNAME, luaopen_table },
                                          { LUA_STRLIBNAME, luaopen_string },
                                          { LUA_MATHLIBNAME, luaopen_math },
                                          { LUA_UTF8LIBNAME, luaopen_utf8 } };
    static const char *const without[] = { "dofile", "loadfile", "load", "require" };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        lua_pushnil(lua);
        lua_setglobal(lua, without[i]);
    }
    lua_getglobal(lua, "math"); /* its generator begins at another number in every process */
    lua_pushnil(lua);
    lua_setfield(lua, -2, "random");
    lua_pushnil(lua);
    lua_setfield(lua, -2, "randomseed");
    lua_pop(lua, 1);
}

static int begin(lua_State *lua)
{
    const struct heddle_start *start = lua_touserdata(lua, 1);
    const char *name = strrchr(start->path, '/');
    open_libraries(lua);
    lua_pushstring(lua, start->argument);
    lua_setglobal(lua, "argument");
    lua_createtable(lua, 0, 16);
    luaL_setfuncs(lua, questions, 0);
    script.view_table = luaL_ref(lua, LUA_REGISTRYINDEX);
    FILE *file = fopen(start->path, "re");
    if (!file)
        return luaL_error(lua, "%s cannot be read", start->path);
    char *text = lua_newuserdatauv(lua, 1u << 20, 0);
    size_t n = fread(text, 1, 1u << 20, file);
    fclose(file);
    if (n == 1u << 20)
        return luaL_error(lua, "%s is too long", start->path);
    lua_pushfstring(lua, "@%s", name ? name + 1 : start->path);
    if (luaL_loadbufferx(lua, text, n, lua_tostring(lua, -1), "t") != LUA_OK)
        return lua_error(lua);
    limit(lua);
    lua_call(lua, 0, 1);
    if (lua_type(lua, -1) != LUA_TTABLE)
        return luaL_error(lua, "%s: the script must return a table",
                          name ? name + 1 : start->path);
    script.strategy.claims = read_claims(lua);
    read_functions(lua);
    return 0;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    struct heddle_strategy *s = &script.strategy;
    for (int i = 0; i < N_FUNCTIONS; i++)
        script.functions[i] = LUA_NOREF;
    lua_State *lua = script.lua = lua_newstate(allocate, &script);
    if (!lua) {
        snprintf(start->error, sizeof start->error, "%s: no memory for Lua", start->path);
        return NULL;
    }
    lua_pushcfunction(lua, begin);
    lua_pushlightuserdata(lua, start);
    if (lua_pcall(lua, 1, 0, 0) != LUA_OK) {
        const char *text = error_text(lua);
        const char *name = strrchr(start->path, '/');
        name = name ? name + 1 : start->path;
        bool named = strstr(text, name) != NULL;
        snprintf(start->error, sizeof start->error, "%s%s%s", named ? "" : name,
                 named ? "" : ": ", text);
        return NULL;
    }
    s->version = HEDDLE_STRATEGY_VERSION;
    s->choose = script.functions[CHOOSE] != LUA_NOREF ? choose : NULL;
    s->score = script.functions[SCORE] != LUA_NOREF ? score : NULL;
    s->prune = script.functions[PRUNE] != LUA_NOREF ? prune : NULL;
    s->ran = script.functions[RAN] != LUA_NOREF ? ran : NULL;
    s->back = script.functions[BACK] != LUA_NOREF ? back : NULL;
    s->ended = script.functions[ENDED] != LUA_NOREF ? ended : NULL;
    s->stop = script.functions[STOP] != LUA_NOREF ? stop : NULL;
    s->rank = script.functions[RANK] != LUA_NOREF ? rank : NULL;
    s->judge = script.functions[JUDGE] != LUA_NOREF ? judge : NULL;
    return s;
}
