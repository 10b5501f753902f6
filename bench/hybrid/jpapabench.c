/* jPapaBench: the autopilot of an unmanned aircraft.  Periodic tasks of two modules that a link
 * connects: the autopilot (navigation, altitude, stabilisation, radio) and fly-by-wire (commands,
 * servos), and a simulator of the aircraft and its sensors.  -DERROR: navigation publishes a
 * course without the lock, and stabilisation sees one half of it.
 *
 * The paper says that it has 4,500 lines and seven threads, and nothing of its error.  Here are
 * the seven threads with what they share; a task runs PERIODS times (once unless said
 * otherwise), and there is no flight plan, no arithmetic of flying and no time. */
#include <assert.h>
#include <pthread.h>

#ifndef PERIODS
#define PERIODS 1
#endif

static struct {
    pthread_mutex_t lock;
    int position, altitude, attitude;
} sensors = { PTHREAD_MUTEX_INITIALIZER, 0, 0, 0 };
static struct {
    pthread_mutex_t lock;
    int roll, pitch; /* of one course: equal */
    int climb;
} desired = { PTHREAD_MUTEX_INITIALIZER, 0, 0, 0 };
static struct {
    pthread_mutex_t lock;
    int manual, commands;
} radio = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct {
    pthread_mutex_t lock;
    int roll, pitch, full;
} link = { PTHREAD_MUTEX_INITIALIZER, 0, 0, 0 };
static struct {
    pthread_mutex_t lock;
    int roll, pitch;
} servos = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

/* Autopilot: from the position to a course. */
static void navigation(void)
{
    pthread_mutex_lock(&sensors.lock);
    int course = sensors.position + 1;
    pthread_mutex_unlock(&sensors.lock);
#ifdef ERROR
    desired.roll = course;
    desired.pitch = course;
#else
    pthread_mutex_lock(&desired.lock);
    desired.roll = course;
    desired.pitch = course;
    pthread_mutex_unlock(&desired.lock);
#endif
}

/* Autopilot: from the altitude to a climb rate. */
static void altitude(void)
{
    pthread_mutex_lock(&sensors.lock);
    int missing = 10 - sensors.altitude;
    pthread_mutex_unlock(&sensors.lock);
    pthread_mutex_lock(&desired.lock);
    desired.climb = missing;
    pthread_mutex_unlock(&desired.lock);
}

/* Autopilot: from the course to commands for fly-by-wire. */
static void stabilisation(void)
{
    pthread_mutex_lock(&desired.lock);
    int roll = desired.roll, pitch = desired.pitch;
    pthread_mutex_unlock(&desired.lock);
    assert(roll == pitch);
    pthread_mutex_lock(&link.lock);
    link.roll = roll;
    link.pitch = pitch;
    link.full = 1;
    pthread_mutex_unlock(&link.lock);
}

/* Autopilot: what the ground has commanded. */
static void reporting(void)
{
    pthread_mutex_lock(&radio.lock);
    radio.commands += radio.manual;
    pthread_mutex_unlock(&radio.lock);
}

/* Fly-by-wire: a command from the ground. */
static void receive(void)
{
    pthread_mutex_lock(&radio.lock);
    radio.manual = 1;
    pthread_mutex_unlock(&radio.lock);
}

/* Fly-by-wire: commands to the servos. */
static void control(void)
{
    pthread_mutex_lock(&link.lock);
    int full = link.full, roll = link.roll, pitch = link.pitch;
    link.full = 0;
    pthread_mutex_unlock(&link.lock);
    if (!full)
        return;
    pthread_mutex_lock(&servos.lock);
    servos.roll = roll;
    servos.pitch = pitch;
    pthread_mutex_unlock(&servos.lock);
}

/* The aircraft: from the servos to what the sensors measure. */
static void simulator(void)
{
    pthread_mutex_lock(&servos.lock);
    int moved = servos.roll + servos.pitch;
    pthread_mutex_unlock(&servos.lock);
    pthread_mutex_lock(&sensors.lock);
    sensors.position += moved;
    sensors.altitude++;
    sensors.attitude = moved;
    pthread_mutex_unlock(&sensors.lock);
}

static void (*const tasks[])(void) = { navigation, altitude, stabilisation, reporting,
                                       receive,    control,  simulator };
#define TASKS ((int)(sizeof tasks / sizeof *tasks))

static void *periodic(void *arg)
{
    void (*task)(void) = tasks[*(int *)arg];
    for (int i = 0; i < PERIODS; i++)
        task();
    return NULL;
}

int main(void)
{
    static int number[TASKS];
    pthread_t t[TASKS];
    for (int i = 0; i < TASKS; i++) {
        number[i] = i;
        pthread_create(&t[i], NULL, periodic, &number[i]);
    }
    for (int i = 0; i < TASKS; i++)
        pthread_join(t[i], NULL);
    assert(servos.roll == servos.pitch && sensors.altitude == PERIODS);
    return 0;
}
